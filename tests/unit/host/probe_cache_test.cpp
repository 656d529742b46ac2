#include "probe_cache.h"

#include <gtest/gtest.h>
#include <sys/utsname.h>

#include "temp_folder.h"

namespace tenon::host {
namespace {

TEST(ProbeCache, KeepsApartWhatDriversOfAnotherKernelDid) {
  const test::TempFolder root;
  Candidate candidate{Origin::named, root.write("vendor.so", "text"), {}, {}};
  candidate.manifest.library = candidate.file;
  utsname system{};
  ASSERT_EQ(::uname(&system), 0);
  EXPECT_NE(probe_key(candidate).find(system.release), std::string::npos) << probe_key(candidate);
}

}  // namespace
}  // namespace tenon::host
