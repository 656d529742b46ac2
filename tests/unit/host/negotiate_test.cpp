#include "negotiate.h"

#include <gtest/gtest.h>

#include "abi_range.h"

namespace tenon::host {
namespace {

const tenon_plugin some_plugin{};

tenon_reply good_reply() {
  tenon_reply reply{};
  reply.magic = TENON_REPLY_MAGIC;
  reply.size = sizeof reply;
  reply.abi_min = reply.abi_max = reply.abi = abi_max;
  reply.fingerprint = TENON_ABI_FINGERPRINT;
  reply.plugin = &some_plugin;
  return reply;
}

void expect_refused(const tenon_reply& reply, Reason reason, const std::string& words, std::int32_t status = TENON_OK) {
  const auto checked = check_reply("/p.so", status, reply);
  ASSERT_FALSE(checked);
  EXPECT_EQ(checked.error().reason, reason) << checked.error().text;
  EXPECT_NE(checked.error().text.find(words), std::string::npos) << checked.error().text;
}

TEST(Negotiate, AcceptsAGoodReply) { EXPECT_TRUE(check_reply("/p.so", TENON_OK, good_reply())); }

TEST(Negotiate, RefusesAReplyThatWasNotWritten) {
  expect_refused({}, Reason::BAD_TABLE, "wrong magic number: found 00000000");
  tenon_reply reply = good_reply();
  reply.size = 8;
  expect_refused(reply, Reason::BAD_TABLE, "wrong size: found 8, expected " + std::to_string(sizeof(tenon_reply)));
}

TEST(Negotiate, TakesTheOverlapOfTwoRanges) {
  tenon_reply reply = good_reply();
  reply.abi_max = TENON_ABI_VERSION(3, 0);
  EXPECT_TRUE(check_reply("/p.so", TENON_OK, reply));
  reply.abi = TENON_ABI_VERSION(3, 0);
  expect_refused(reply, Reason::BAD_TABLE, "it chose ABI 3.0, expected 1.1, the newest that both speak");
}

TEST(Negotiate, ComparesTheFingerprintOfTheVersionChosen) {
  tenon_reply reply = good_reply();
  reply.abi_min = reply.abi_max = reply.abi = TENON_ABI_OLDEST;
  reply.fingerprint = tenon_abi_fingerprint(TENON_ABI_OLDEST);
  EXPECT_TRUE(check_reply("/p.so", TENON_OK, reply));
  reply.fingerprint = tenon_abi_fingerprint(TENON_ABI);
  expect_refused(reply, Reason::FINGERPRINT_MISMATCH,
                 "another header of ABI 1.0: found 54454e4f4e310001, expected 54454e4f4e310000");
}

TEST(Negotiate, HoldsAPluginToTheNewestCommonVersion) {
  tenon_reply reply = good_reply();
  reply.abi_min = reply.abi = TENON_ABI_OLDEST;
  reply.fingerprint = tenon_abi_fingerprint(TENON_ABI_OLDEST);
  expect_refused(reply, Reason::BAD_TABLE, "it chose ABI 1.0, expected 1.1");
}

TEST(Negotiate, RepeatsThePluginsOwnRefusal) {
  tenon_reply reply = good_reply();
  std::snprintf(reply.message, sizeof reply.message, "the moon is not full");
  expect_refused(reply, Reason::BAD_TABLE, "it refused this host: the moon is not full", TENON_ERROR);
}

TEST(AbiRange, SaysWhichSideToUpdate) {
  const auto older = check_abi_range("/p.so", 0, 0), newer = check_abi_range("/p.so", abi_max + 1, abi_max + 2);
  ASSERT_FALSE(older || newer);
  EXPECT_EQ(older.error().hint, "update the plugin; Tenon is newer");
  EXPECT_EQ(newer.error().hint, "update Tenon; the plugin is newer");
  EXPECT_TRUE(check_abi_range("/p.so", 0, abi_max));
  EXPECT_TRUE(check_abi_range("/p.so", abi_max, UINT32_MAX));
}

}  // namespace
}  // namespace tenon::host
