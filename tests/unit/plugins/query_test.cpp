#include "tenon/plugin/query.h"

#include "harness.h"

namespace tenon::testing {
namespace {

const tenon_plugin some_plugin{};
const tenon_plugin* some_table() { return &some_plugin; }
std::uint32_t asked_for = 0;
const void* host_table(std::uint32_t abi) { return asked_for = abi, TestHost::table(); }

class Query : public PluginTest {
 protected:
  Query() {
    query.magic = TENON_QUERY_MAGIC;
    query.size = sizeof query;
    query.abi_min = query.abi_max = TENON_ABI;
    query.sanitizer = plugin::sanitizers;
    query.host_table = host_table;
    reply.size = sizeof reply;
    plugin::host = nullptr;
  }
  std::int32_t ask(plugin::AbiRange ours = plugin::every_version) {
    return plugin::answer_query("acme", &query, &reply, some_table, ours);
  }
  void expect_refusal(const std::string& words) {
    EXPECT_EQ(reply.abi, 0u);
    EXPECT_EQ(reply.plugin, nullptr);
    EXPECT_EQ(reply.message, words);
    EXPECT_EQ(plugin::host, nullptr);
  }
  tenon_query query{};
  tenon_reply reply{};
};

TEST_F(Query, IsAnsweredWithVersionFingerprintAndTable) {
  EXPECT_EQ(ask(), TENON_OK);
  EXPECT_EQ(reply.magic, TENON_REPLY_MAGIC);
  EXPECT_EQ(reply.size, sizeof reply);
  EXPECT_EQ(reply.abi, TENON_ABI);
  EXPECT_EQ(reply.fingerprint, TENON_ABI_FINGERPRINT);
  EXPECT_EQ(reply.sanitizer, plugin::sanitizers);
  EXPECT_EQ(reply.plugin, &some_plugin);
  EXPECT_STREQ(reply.message, "");
  EXPECT_EQ(plugin::host, TestHost::table());
}

TEST_F(Query, OfTheWrongMagicOrSizeIsRefusedWithoutWriting) {
  const auto refused = [&] {
    const tenon_reply before = reply;
    return ask() == TENON_ERROR_INVALID_ARGUMENT && std::memcmp(&before, &reply, sizeof reply) == 0;
  };
  query.magic = 0;
  EXPECT_TRUE(refused());
  query.magic = TENON_QUERY_MAGIC, query.size = 0;
  EXPECT_TRUE(refused());
  query.size = sizeof query, reply.size = 0;
  EXPECT_TRUE(refused());
  reply.size = sizeof reply - 1;
  EXPECT_TRUE(refused());
  EXPECT_EQ(plugin::answer_query("acme", nullptr, &reply, some_table), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(plugin::answer_query("acme", &query, nullptr, some_table), TENON_ERROR_INVALID_ARGUMENT);
}

TEST_F(Query, ChoosesTheNewestVersionOfBoth) {
  query.abi_min = TENON_ABI_VERSION(1, 0), query.abi_max = TENON_ABI_VERSION(1, 4);
  EXPECT_EQ(ask({TENON_ABI_VERSION(0, 9), TENON_ABI_VERSION(1, 2)}), TENON_OK);
  EXPECT_EQ(reply.abi, TENON_ABI_VERSION(1, 2));
  EXPECT_EQ(asked_for, TENON_ABI_VERSION(1, 2));
  EXPECT_EQ(ask({TENON_ABI_VERSION(1, 1), TENON_ABI_VERSION(2, 0)}), TENON_OK);
  EXPECT_EQ(reply.abi, TENON_ABI_VERSION(1, 4));
}

TEST_F(Query, OfAnOlderHostIsAnsweredInItsVersion) {
  query.abi_min = query.abi_max = TENON_ABI_OLDEST;
  EXPECT_EQ(ask(), TENON_OK);
  EXPECT_EQ(reply.abi, TENON_ABI_OLDEST);
  EXPECT_EQ(asked_for, TENON_ABI_OLDEST);
  EXPECT_EQ(reply.fingerprint, tenon_abi_fingerprint(TENON_ABI_OLDEST));
  EXPECT_NE(reply.fingerprint, TENON_ABI_FINGERPRINT);
  EXPECT_EQ(reply.abi_max, TENON_ABI);
}

TEST_F(Query, OfAnOlderHostIsRefusedByAPluginThatNeedsANewerOne) {
  query.abi_min = query.abi_max = TENON_ABI_OLDEST;
  EXPECT_EQ(ask({TENON_ABI, TENON_ABI}), TENON_ERROR);
  expect_refusal("plugin acme speaks ABI 1.1, the host 1.0: update the host");
}

TEST_F(Query, WithoutACommonVersionNamesBothRangesAndWhichSideToUpdate) {
  query.abi_min = TENON_ABI_VERSION(1, 0), query.abi_max = TENON_ABI_VERSION(1, 4);
  EXPECT_EQ(ask({TENON_ABI_VERSION(0, 1), TENON_ABI_VERSION(0, 1)}), TENON_ERROR);
  expect_refusal("plugin acme speaks ABI 0.1, the host 1.0 to 1.4: update the plugin");
  EXPECT_EQ(ask({TENON_ABI_VERSION(2, 0), TENON_ABI_VERSION(2, 3)}), TENON_ERROR);
  expect_refusal("plugin acme speaks ABI 2.0 to 2.3, the host 1.0 to 1.4: update the host");
  EXPECT_EQ(reply.abi_min, TENON_ABI_VERSION(2, 0));
  EXPECT_EQ(reply.abi_max, TENON_ABI_VERSION(2, 3));
}

TEST_F(Query, WithoutAVersionIsRefused) {
  query.abi_min = query.abi_max = 0;
  EXPECT_EQ(ask(), TENON_ERROR);
  expect_refusal("the host names no ABI version");
}

TEST_F(Query, NeedsAHostTableOfFullSize) {
  query.host_table = nullptr;
  EXPECT_EQ(ask(), TENON_ERROR);
  expect_refusal("the host offers no table");
  query.host_table = [](std::uint32_t) -> const void* { return nullptr; };
  EXPECT_EQ(ask(), TENON_ERROR);
  expect_refusal("the host has no table for ABI 1.1");
  query.host_table = [](std::uint32_t) -> const void* {
    static const tenon_host empty{};
    return &empty;
  };
  EXPECT_EQ(ask(), TENON_ERROR);
  expect_refusal("the host's table has 0 bytes, expected " + std::to_string(sizeof(tenon_host)));
}

TEST_F(Query, RefusesASanitizerThatTheHostLacks) {
  tenon_reply out{};
  EXPECT_EQ(plugin::detail::negotiate("acme", query, {TENON_ABI, TENON_ABI}, plugin::sanitizers, out), "");
  plugin::host = nullptr;
  query.sanitizer = 0;
  EXPECT_EQ(plugin::detail::negotiate("acme", query, {TENON_ABI, TENON_ABI}, TENON_SANITIZER_ADDRESS, out),
            "plugin acme was built with a sanitizer that the host lacks (kinds 1, host 0): build both alike");
  EXPECT_EQ(plugin::host, nullptr);
}

class Options : public PluginTest {
 protected:
  static std::int32_t check(std::span<const std::string_view> known) {
    tenon_attr threads{};
    threads.name = "threads";
    return plugin::guard([&] { plugin::check_options("acme", {&threads, 1}, known); });
  }
};

TEST_F(Options, ThatAreUnknownAreNamedWithThoseThatAreKnown) {
  static constexpr std::string_view known[] = {"precision", "cache"};
  EXPECT_EQ(check(known), TENON_ERROR_UNKNOWN_OPTION);
  EXPECT_EQ(TestHost::error, "[acme] unknown option threads: known are precision, cache");
  EXPECT_EQ(check({}), TENON_ERROR_UNKNOWN_OPTION);
  EXPECT_EQ(TestHost::error, "[acme] unknown option threads: known are none");
  static constexpr std::string_view includes[] = {"cache", "threads"};
  EXPECT_EQ(check(includes), TENON_OK);
}

}  // namespace
}  // namespace tenon::testing
