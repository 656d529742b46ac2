// environment.h: environment variables set for the time of a test, and Tenon's own ones cleared.
#pragma once
#include <cstdlib>
#include <string>
#include <vector>

namespace tenon::test {

class Environment {
 public:
  Environment() { clear(); }
  ~Environment() { clear(); }
  Environment(const Environment&) = delete;
  Environment& operator=(const Environment&) = delete;
  void set(const char* name, const char* value) { ::setenv(name, value, 1); }

 private:
  static void clear() {
    for (const char* name :
         {"TENON_DEVICE", "TENON_BACKEND", "TENON_DTYPE", "TENON_FLOAT32_MODE", "TENON_SHOW_BACKEND", "TENON_SEED",
          "TENON_PROVIDER", "TENON_ASSURANCE", "TENON_THREADS", "TENON_PLUGIN_PATH", "TENON_PROFILE", "TENON_TRACE"})
      ::unsetenv(name);
  }
};

using Args = std::vector<std::string>;

}  // namespace tenon::test
