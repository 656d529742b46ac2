// K3, a load failure that hides its cause: four broken files of V, each told by its path and by what is wrong with it.
#include <elf.h>

#include <algorithm>
#include <cstddef>

#include "scenario.h"

namespace tenon::test {
namespace {

class K3 : public Scenario {
 protected:
  /// V's manifest with a library of other bytes than it was made for.
  void write_manifest() const {
    nlohmann::json manifest = nlohmann::json::parse(read_file(built_ / "vendor/vendor.tenon.json"));
    manifest["build_id"] = "";
    place_.write("vendors/vendor.tenon.json", manifest.dump());
  }

  void write_library(const std::string& bytes) const { place_.write("vendors/tenon_vendor.so", bytes); }

  /// Both commands tell the same reason, and the run tells it once.
  void expect_told(const std::string& code, const std::vector<std::string>& words) const {
    const std::string err = expect_failure(place_, run_model("vendor", {"--show-backend"}));
    expect_words(err, {library_, "reason: " + code});
    expect_words(err, words);
    expect_no_words(err, {"capsule: "});
    for (const std::string& part : words) EXPECT_EQ(count(err, part), 1u) << err;
    const nlohmann::json vendor = listed("vendor");
    EXPECT_EQ(vendor["state"], "plugin failed") << vendor;
    EXPECT_EQ(vendor["reason"]["code"], code) << vendor;
    expect_words(vendor["reason"]["text"], words);
    expect_words(vendor["reason"]["text"], {library_});
  }

  const std::string library_ = vendors_ / "tenon_vendor.so";
  const std::string intact_ = read_file(built_ / "vendor/tenon_vendor.so");
};

TEST_F(K3, a_OfADependencyThatWasRemoved) {
  const fs::path folder = built_ / "vendor_with_dependency", dependency = place_ / "libvendor_dep.so.9";
  fs::copy_file(folder / "tenon_vendor_with_dependency.so", library_);
  write_manifest();
  fs::copy_file(built_ / "not-installed/libvendor_dep.so.9", dependency);
  place_.set("LD_LIBRARY_PATH", (place_ / "").string());
  expect_success("vendor");
  fs::remove(dependency);
  fs::remove(output_);
  expect_told("MISSING_DEPENDENCY", {": a dependency is missing: libvendor_dep.so.9"});
}

TEST_F(K3, b_OfAnUndefinedSymbol) {
  fs::copy_file(built_ / "vendor_undefined/tenon_vendor.so", library_);
  write_manifest();
  expect_told("UNDEFINED_SYMBOL", {": undefined symbol: function_that_nobody_defines"});
}

TEST_F(K3, c_OfAnotherArchitecture) {
  Elf64_Ehdr header;
  std::copy_n(intact_.data(), sizeof header, reinterpret_cast<char*>(&header));
  header.e_machine = header.e_machine == EM_S390 ? EM_PPC64 : EM_S390;
  write_library(std::string(reinterpret_cast<const char*>(&header), sizeof header) + intact_.substr(sizeof header));
  write_manifest();
  expect_told("WRONG_ARCHITECTURE", {": built for another architecture"});
}

TEST_F(K3, d_OfAFileThatWasCutInHalf) {
  write_library(intact_.substr(0, intact_.size() / 2));
  write_manifest();
  expect_told("DAMAGED_FILE", {": the file is damaged: "});
}

TEST_F(K3, d_OfAFileThatWasCutAnywhere) {
  write_manifest();
  const std::size_t step = std::max<std::size_t>(97, intact_.size() / 20 / 97 * 97);
  for (std::size_t length = step; length < intact_.size(); length += step) {
    write_library(intact_.substr(0, length));
    const std::string err = expect_failure(place_, run_model("vendor"));
    expect_words(err, {library_ + ": the file is damaged: ", "reason: DAMAGED_FILE"});
    EXPECT_EQ(count(err, "damaged: "), 1u) << err;
  }
}

TEST_F(K3, d_OfAFileWithHardlyAByte) {
  write_manifest();
  for (const std::size_t length : std::initializer_list<std::size_t>{0, 1, 3, 4, 63}) {
    write_library(intact_.substr(0, length));
    expect_words(expect_failure(place_, run_model("vendor")), {library_ + ": "});
    EXPECT_EQ(listed("vendor")["state"], "plugin failed");
  }
}

}  // namespace
}  // namespace tenon::test
