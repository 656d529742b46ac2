// where.h: every device with every backend: what a test of sessions is run for.
#pragma once
#include "session/small_mlp.h"

namespace tenon::test {

struct Where {
  std::string device;
  Backend backend;
};

inline std::string to_string(const Where& where) { return where.device + "_" + std::string(name(where.backend)); }
inline void PrintTo(const Where& where, std::ostream* out) { *out << to_string(where); }

inline std::vector<Where> everywhere() {
  std::vector<Where> all;
  for (const std::string& device : device_kinds())
    for (const Backend backend : {Backend::eager, Backend::compiled}) all.push_back({device, backend});
  return all;
}

/// For INSTANTIATE_TEST_SUITE_P: "late_compiled".
inline std::string name_of(const testing::TestParamInfo<Where>& info) { return to_string(info.param); }

inline Session session_of(const Where& where, Program program, SessionOptions options) {
  options.backend = where.backend;
  return session_of(where.device, std::move(program), options);
}

}  // namespace tenon::test
