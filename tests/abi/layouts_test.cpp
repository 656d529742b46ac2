// The recorded layouts in sdk/abi: every version has one, and each of them only appends to the one before.
#include <gtest/gtest.h>

#include "growth.h"
#include "host_table.h"
#include "tenon/plugin.h"

namespace tenon::test {
namespace {

const std::filesystem::path sdk = TENON_TEST_SOURCE_DIR "/sdk";

struct Version {
  std::uint32_t major, minor;
  std::uint64_t fingerprint;
  std::uint32_t host_bytes;

  std::filesystem::path file() const {
    return sdk / "abi" / ("v" + std::to_string(major) + "." + std::to_string(minor) + ".layout");
  }
  std::uint32_t number() const { return TENON_ABI_VERSION(major, minor); }
};

#define TENON_TEST_VERSION(...) Version{__VA_ARGS__},
const std::vector<Version> versions{TENON_ABI_VERSIONS(TENON_TEST_VERSION)};
#undef TENON_TEST_VERSION

std::vector<std::string> faults(const std::string& older, const std::string& newer) {
  return growth_faults(read_layout(older), read_layout(newer), {"frozen"});
}

TEST(RecordedLayouts, StandForExactlyTheVersionsOfTheHeader) {
  std::size_t files = 0;
  for (const auto& entry : std::filesystem::directory_iterator(sdk / "abi"))
    files += entry.path().extension() == ".layout" ? 1 : 0;
  EXPECT_EQ(files, versions.size());
  for (const Version& v : versions) EXPECT_TRUE(std::filesystem::exists(v.file())) << v.file();
  EXPECT_EQ(versions.front().number(), TENON_ABI_OLDEST);
  EXPECT_EQ(versions.back().number(), TENON_ABI);
}

TEST(RecordedLayouts, OnlyAppendFromVersionToVersion) {
  const auto frozen = frozen_in(text_of(sdk / "include/tenon/plugin.h"));
  EXPECT_EQ(frozen, (std::set<std::string>{"tenon_args", "tenon_attr", "tenon_contract", "tenon_dtype", "tenon_dtypes",
                                           "tenon_launch", "tenon_query", "tenon_ref", "tenon_reply", "tenon_scalar",
                                           "tenon_text", "tenon_value"}));
  for (std::size_t i = 1; i < versions.size(); ++i) {
    const Layout older = read_layout(text_of(versions[i - 1].file())), newer = read_layout(text_of(versions[i].file()));
    EXPECT_EQ(older.size(), 23u);
    EXPECT_EQ(growth_faults(older, newer, frozen), std::vector<std::string>{});
  }
}

TEST(RecordedLayouts, SayHowLargeTheHostTableOfAVersionIs) {
  for (const Version& v : versions) {
    EXPECT_EQ(read_layout(text_of(v.file())).at("tenon_host").bytes, v.host_bytes);
    const auto* table = static_cast<const tenon_host*>(host::host_table(v.number()));
    ASSERT_NE(table, nullptr);
    EXPECT_EQ(table->size, v.host_bytes);
    EXPECT_EQ(table->abi, v.number());
  }
}

TEST(RecordedLayouts, HaveFingerprintsOfTheirOwn) {
  std::set<std::uint64_t> all;
  for (const Version& v : versions) all.insert(v.fingerprint);
  EXPECT_EQ(all.size(), versions.size());
  EXPECT_EQ(all.count(0), 0u);
  EXPECT_EQ(tenon_abi_fingerprint(versions.front().number()), versions.front().fingerprint);
  EXPECT_EQ(tenon_abi_fingerprint(TENON_ABI_VERSION(99, 0)), 0u);
}

/// FNV-1a: whoever changes a record and this number with it means to break every plugin that was built.
std::uint64_t hash_of(const std::string& text) {
  std::uint64_t hash = 0xcbf29ce484222325;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return hash;
}

TEST(RecordedLayouts, OfPublishedVersionsNeverChange) {
  const std::map<std::string, std::uint64_t> published{{"v1.0.layout", 0xaed4c7be76d52cc3},
                                                       {"v1.1.layout", 0x099198eff248c7f2}};
  for (const auto& [file, hash] : published) EXPECT_EQ(hash_of(text_of(sdk / "abi" / file)), hash) << file;
}

/// The numbers and strings that a header names, but for those that name its versions.
std::map<std::string, std::string> constants_in(const std::string& header) {
  static const std::regex line(R"(#define (TENON_\w+) ([^\n/]*[^\n/ ]))");
  std::map<std::string, std::string> out;
  for (std::sregex_iterator at(header.begin(), header.end(), line), end; at != end; ++at) out[(*at)[1]] = (*at)[2];
  for (const char* version : {"TENON_ABI", "TENON_ABI_OLDEST", "TENON_ABI_FINGERPRINT"}) out.erase(version);
  return out;
}

TEST(PublishedConstants, KeepTheirValues) {
  const auto now = constants_in(text_of(sdk / "include/tenon/plugin.h"));
  for (const auto& entry : std::filesystem::directory_iterator(TENON_TEST_SOURCE_DIR "/tests/abi/headers")) {
    const auto then = constants_in(text_of(entry.path() / "tenon/plugin.h"));
    EXPECT_GT(then.size(), 80u);
    EXPECT_EQ(then.at("TENON_PENDING"), "3");
    EXPECT_EQ(then.at("TENON_QUERY_MAGIC"), "UINT32_C(0x4e4f4e54)");
    for (const auto& [name, value] : then) EXPECT_EQ(now.contains(name) ? now.at(name) : "gone", value) << name;
  }
}

TEST(Growth, IsWhatIsAppended) {
  EXPECT_EQ(faults("t.a 0 4\nt 4\n", "t.a 0 4\nt.b 4 8\nt 12\nnew 4\n"), std::vector<std::string>{});
}

TEST(Growth, IsNotWhatMovesGoesAwayOrComesBetween) {
  const auto one = [](const char* fault) { return std::vector<std::string>{fault}; };
  EXPECT_EQ(faults("t.a 0 4\nt 4\n", "t.a 0 8\nt 8\n"), one("t.a moved"));
  EXPECT_EQ(faults("t.a 0 4\nt 4\n", "t.b 4 4\nt 8\n"), one("t.a is gone"));
  EXPECT_EQ(faults("t.a 0 4\nt.pad 4 4\nt 8\n", "t.a 0 4\nt.b 4 4\nt 8\n"),
            (std::vector<std::string>{"t.pad is gone", "t.b was put before the end"}));
  EXPECT_EQ(faults("t.a 0 4\nt 4\n", "u 4\n"), one("t is gone"));
  EXPECT_EQ(faults("t.a 0 4\nt 8\n", "t.a 0 4\nt 4\n"), one("t has another size"));
  EXPECT_EQ(faults("frozen.a 0 4\nfrozen 4\n", "frozen.a 0 4\nfrozen.b 4 4\nfrozen 8\n"),
            one("frozen has another size"));
}

}  // namespace
}  // namespace tenon::test
