#include "cublas/workspace.h"

#include <gtest/gtest.h>

namespace tenon::gpu::cublas {
namespace {

constexpr std::uint64_t kib = 1024, mib = 1024 * kib;

TEST(CublasWorkspace, IsWhatIsRecommendedForTheArchitecture) {
  for (const char* architecture : {"sm_90", "sm_100", "sm_103", "sm_120"})
    EXPECT_EQ(workspace_bytes(architecture, ""), 32 * mib) << architecture;
  for (const char* architecture : {"sm_75", "sm_80", "sm_89", "unknown", ""})
    EXPECT_EQ(workspace_bytes(architecture, ""), 4 * mib) << architecture;
}

TEST(CublasWorkspace, IsWhatTheUserConfigured) {
  EXPECT_EQ(workspace_bytes("sm_90", ":16:8"), 128 * kib);
  EXPECT_EQ(workspace_bytes("sm_90", ":4096:2:16:8"), 8 * mib + 128 * kib);
  EXPECT_EQ(workspace_bytes("sm_90", ":1:1"), 16 * kib) << "with less some functions fail";
}

TEST(CublasWorkspace, IsAsRecommendedWhereNoConfigurationCanBeRead) {
  for (const char* words : {":", "16:8", ":16", ":16:", ":16:8:", ":x:8", ":16:8 ", ":0:8", ":99999999999999999999:1",
                            ":4294967296:4294967296"})
    EXPECT_EQ(workspace_bytes("sm_90", words), 32 * mib) << words;
}

}  // namespace
}  // namespace tenon::gpu::cublas
