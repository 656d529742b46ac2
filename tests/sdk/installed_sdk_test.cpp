// The SDK as a vendor gets it: installed into a folder of its own, moved, and used without anything of the source tree.
// All of docs/add-a-device.md is typed once; every test here looks at what that left.
#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "cli/run_tenon.h"

namespace tenon::test {
namespace {

const fs::path source = TENON_TEST_SOURCE_DIR;

/// The indented lines that are commands, and not code.
std::vector<std::string> commands_of_the_page() {
  std::vector<std::string> out;
  for (const std::string& line : lines_that_begin_with(read_file(source / "docs/add-a-device.md"), "    ")) {
    const std::string command = line.substr(4);
    const auto begins = [&](const char* word) { return command.starts_with(word); };
    if (begins("\"$SDK") || begins("cmake ") || begins("export ") || begins("cmp ")) out.push_back(command);
  }
  return out;
}

class InstalledSdk : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    place_ = new Workplace;
    place_->set("CC", TENON_TEST_C_COMPILER);
    place_->set("CXX", TENON_TEST_CXX_COMPILER);
    place_->set("CFLAGS", TENON_TEST_FLAGS);
    place_->set("CXXFLAGS", TENON_TEST_FLAGS);
    place_->set("CMAKE_GENERATOR", TENON_TEST_GENERATOR);
    place_->set("CMAKE_BUILD_PARALLEL_LEVEL", "2");
    fs::create_directory_symlink(TENON_TEST_BUILD_DIR, *place_ / "build");
    const std::vector<std::string> commands = commands_of_the_page();
    ASSERT_GE(commands.size(), 15u);
    installed_ = place_->shell("SDK=installed\n" + commands.front());
    if (installed_.status != 0) return;
    fs::rename(*place_ / "installed", sdk());
    fs::remove(*place_ / "build");
    std::string script = "set -ex\n";
    for (const std::string& command : std::span(commands).subspan(1)) script += command + "\n";
    page_ = in_sdk(script);
  }
  static void TearDownTestSuite() { delete place_; }

  void SetUp() override {
    ASSERT_EQ(installed_.status, 0) << installed_.err;
    ASSERT_EQ(page_.status, 0) << page_.out << page_.err;
  }

  static fs::path sdk() { return *place_ / "an SDK übertragen"; }
  static fs::path at(const fs::path& file) { return *place_ / file; }
  static Outcome in_sdk(const std::string& script) { return place_->shell("SDK='" + sdk().string() + "'\n" + script); }

  static void expect_success(const Outcome& outcome) { EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err; }
  static void expect_words(const std::string& text, std::initializer_list<const char*> words) {
    for (const char* word : words) EXPECT_NE(text.find(word), std::string::npos) << word << " is missing in\n" << text;
  }

  static inline Workplace* place_ = nullptr;
  static inline Outcome installed_, page_;
};

TEST_F(InstalledSdk, ServesEveryCommandOfThePage) {
  expect_words(page_.out, {"a new device (software device)", "acme.add.f32", "matmul, relu", "training loss"});
  expect_words(page_.out, {"plugin  Acme/acme 0.1.0", "plugin  acme/vendor 1.0.0"});
  EXPECT_EQ(count(page_.out, "\ncertified: "), 2u) << page_.out;
  expect_words(page_.err, {"vendor.fast.linear.f32", "vendor 1.0.0", "calls: "});
  EXPECT_EQ(read_file(at("first.csv")), "output0,output1,output2\n3.75,3.75,3.75\n3.75,3.75,3.75\n");
  EXPECT_GT(fs::file_size(at("vendor.safetensors")), 10'000u);
}

TEST_F(InstalledSdk, NeedsNothingOfTheSourceTree) {
  std::size_t looked_at = 0;
  for (const fs::path& folder : {sdk(), at("acme/build"), at("vendor")}) {
    for (const auto& entry : fs::recursive_directory_iterator(folder)) {
      const std::string name = entry.path().filename();
      if (!name.ends_with(".cmake") && !name.ends_with(".json") && !name.ends_with(".h") && name != "build.ninja")
        continue;
      ++looked_at;
      const std::string text = read_file(entry.path());
      EXPECT_EQ(text.find(source), std::string::npos) << entry.path();
      EXPECT_EQ(text.find(TENON_TEST_BUILD_DIR), std::string::npos) << entry.path();
    }
  }
  EXPECT_GT(looked_at, 30u);
}

TEST_F(InstalledSdk, IsTheSameThroughAnyPath) {
  const std::string script =
      "ln -s \"$SDK/bin/tenon\" link\n\"$SDK/bin/tenon\" plugins >full\n./link plugins >linked\n"
      "cd /\nPATH=\"$SDK/bin:$PATH\"\ntenon plugins";
  const Outcome by_name = in_sdk(script);
  expect_success(by_name);
  expect_words(by_name.out, {"an SDK übertragen/lib/tenon-plugins/cpu.tenon.json"});
  EXPECT_EQ(read_file(at("full")), by_name.out);
  EXPECT_EQ(read_file(at("linked")), by_name.out);
}

// -- ops.json -------------------------------------------------------------------------------------------------------

nlohmann::json named(const nlohmann::json& list, std::string_view name) {
  for (const auto& entry : list)
    if (entry.at("name") == name) return entry;
  return {};
}

TEST_F(InstalledSdk, ListsEveryOperationOfTheTable) {
  const auto operations = nlohmann::json::parse(read_file(sdk() / "share/tenon/ops.json")).at("operations");
  EXPECT_EQ(operations.size(), lines_that_begin_with(read_file(source / "docs/ops.md"), "| `").size());
  for (const auto& operation : operations) {
    EXPECT_NE(operation.at("shape"), "") << operation;
    EXPECT_NE(operation.at("meaning"), "") << operation;
    EXPECT_FALSE(operation.at("results").empty()) << operation;
  }
  const auto loss = named(operations, "cross_entropy");
  EXPECT_EQ(named(loss.at("operands"), "labels").at("kind"), "natural");
  const auto clamp = named(operations, "clamp");
  EXPECT_EQ(named(clamp.at("attributes"), "low").at("default"), "-inf");
  EXPECT_EQ(named(clamp.at("attributes"), "low").at("type"), "float");
  const auto adam = named(operations, "adam");
  EXPECT_EQ(adam.at("role"), "update");
  EXPECT_EQ(named(adam.at("scalars"), "step").at("member"), "i");
  EXPECT_EQ(adam.at("results").at(2).at("name"), "v");
}

// -- the examples, with the `tenon` of the build ----------------------------------------------------------------------

TEST_F(InstalledSdk, BuildsAPluginInCWhichGivesTheBitsOfTheCpu) {
  const Outcome outcome = in_sdk(
      "set -e\ncmake -S \"$SDK/share/tenon/examples/abacus\" -B abacus -DCMAKE_PREFIX_PATH=\"$SDK\" "
      "-DTENON_PLUGIN_OUTPUT_DIR=\"$PWD/plugins\"\ncmake --build abacus\nexport TENON_PLUGIN_PATH=\"$PWD/plugins\"\n"
      "\"$SDK/bin/tenon\" check plugins/abacus.tenon.json\n"
      "\"$TENON\" devices\nfor device in cpu vendor abacus\ndo\n  \"$TENON\" run "
      "\"$SDK/share/tenon/examples/programs/small.tenon\" "
      "--input \"$SDK/share/tenon/examples/data/line.csv\" --device $device --output small-$device.csv\ndone");
  expect_success(outcome);
  expect_words(outcome.out,
               {"\ncertified: ", "abacus    usable", "beads on wires", "vendor    usable", "Acme NPU, simulated"});
  const std::string expected = read_file(at("small-cpu.csv"));
  EXPECT_EQ(lines(expected).size(), 201u);
  EXPECT_EQ(read_file(at("small-abacus.csv")), expected);
  EXPECT_EQ(read_file(at("small-vendor.csv")), expected);
}

TEST_F(InstalledSdk, TrainsToTheBitsOfTheCpuInBothBackends) {
  const Outcome outcome = in_sdk(
      "set -e\nexport TENON_PLUGIN_PATH=\"$PWD/plugins\"\nfor run in 'cpu eager' 'vendor eager' 'vendor compiled'\ndo\n"
      "  set -- $run\n  for optimizer in sgd adam\n  do\n    \"$TENON\" train linear --data "
      "\"$SDK/share/tenon/examples/data/line.csv\" --steps 4 --optimizer $optimizer --device $1 --backend $2 "
      "--save $optimizer-$1-$2.safetensors\n  done\ndone");
  expect_success(outcome);
  for (const std::string optimizer : {"sgd", "adam"}) {
    const std::string expected = read_file(at(optimizer + "-cpu-eager.safetensors"));
    EXPECT_GT(expected.size(), 100u);
    EXPECT_EQ(read_file(at(optimizer + "-vendor-eager.safetensors")), expected);
    EXPECT_EQ(read_file(at(optimizer + "-vendor-compiled.safetensors")), expected);
  }
}

TEST_F(InstalledSdk, NamesTheChoicesOfAVendorsOption) {
  const Outcome outcome = in_sdk(
      "export TENON_PLUGIN_PATH=\"$PWD/plugins\"\n\"$TENON\" train linear --data "
      "\"$SDK/share/tenon/examples/data/line.csv\" "
      "--device vendor --option vendor.rounding=up");
  EXPECT_EQ(outcome.status, 1);
  expect_words(outcome.err, {"[vendor] option vendor.rounding: found \"up\", expected nearest or toward-zero"});
}

TEST_F(InstalledSdk, ShowsWhyAVendorsCapsuleDeclines) {
  place_->write("batches.tenon",
                "tenon program 1\n%x = input x : (2, 3, 3)\nforward\n  %y = matmul(%x, %x)\n  return %y\n");
  const Outcome outcome =
      in_sdk("export TENON_PLUGIN_PATH=\"$PWD/plugins\"\n\"$TENON\" explain batches.tenon --device vendor");
  EXPECT_EQ(outcome.status, 1);
  expect_words(outcome.out + outcome.err, {"multiplies single matrices, not batches: left (2, 3, 3), right (2, 3, 3)"});
}

/// Composed, it would need a broadcast that this vendor declines.
TEST_F(InstalledSdk, TakesAGradientOfTheVendorsOwn) {
  place_->write("chances.tenon",
                "tenon program 1\n%weight = parameter weight : (3, 2)\n%bias = parameter bias : (3)\n"
                "%x = input x : (batch, 2)\n%wanted = input wanted : (batch, 3)\nforward\n"
                "  %scores = linear(%x, %weight, %bias)\n  return %scores\nloss\n"
                "  %scores = linear(%x, %weight, %bias)\n  %chances = softmax(%scores)\n"
                "  %loss = mse_loss(%chances, %wanted)\n  return %loss\n");
  const Outcome outcome = in_sdk(
      "export TENON_PLUGIN_PATH=\"$PWD/plugins\"\n"
      "\"$TENON\" explain chances.tenon --extent batch=4 --device vendor");
  expect_success(outcome);
  expect_words(outcome.out, {"vendor.exact.softmax.vjp.f32, own gradient of softmax"});
}

// -- the page -------------------------------------------------------------------------------------------------------

TEST_F(InstalledSdk, PrintsTheCertificateThatThePageShows) {
  if (*TENON_TEST_FLAGS != '\0')
    GTEST_SKIP() << "with a sanitizer's allocator some checks are skipped, so numbers differ";
  std::string shown;
  for (const std::string& line : lines(read_file(source / "docs/add-a-device.md"))) {
    if (line.starts_with("    plugin  ")) shown = "\n";
    if (!shown.empty()) shown += (line.empty() ? "" : line.substr(4)) + "\n";
    if (line.starts_with("    certified: ")) break;
  }
  EXPECT_GT(lines(shown).size(), 10u);
  expect_words(page_.out, {shown.c_str()});
}

TEST_F(InstalledSdk, ShowsCodeOfTheExample) {
  const std::string page = read_file(source / "docs/add-a-device.md");
  const std::size_t begin = page.find("    class Matmul {"), end = page.find("\n\nWrite them in this order", begin);
  ASSERT_NE(end, std::string::npos);
  std::string code;
  for (const std::string& line : lines(page.substr(begin, end - begin)))
    code += (line.empty() ? "" : line.substr(4)) + "\n";
  EXPECT_NE(read_file(sdk() / "share/tenon/examples/vendor/kernels/linear_algebra.cpp").find(code), std::string::npos)
      << code;
}

}  // namespace
}  // namespace tenon::test
