// golden.h: texts kept beside the tests, compared after what differs from machine to machine has been replaced.
//
// TENON_UPDATE_GOLDEN=1 writes them anew.
#pragma once
#include <gtest/gtest.h>

#include <regex>

#include "run_tenon.h"

namespace tenon::test {

inline std::string replaced(const std::string& text, const char* pattern, const char* by) {
  return std::regex_replace(text, std::regex(pattern), by);
}

inline std::string replaced_all(std::string text, const std::string& part, const std::string& by) {
  for (std::size_t at; (at = text.find(part)) != std::string::npos;) text.replace(at, part.size(), by);
  return text;
}

/// The folder that the program lies in, that of the build, the machine's name and the number of threads.
inline std::string normalised(std::string text, const fs::path& installed) {
  text = replaced_all(text, fs::canonical(installed), "/TENON");
  text = replaced_all(text, fs::path(TENON_TEST_BUILD_DIR) / "test-plugins", "/PLUGINS");
  text = replaced(text, R"((\ncpu  +usable  +cpu  +cpu [0-9.]+ +)[^\n]*)", "$1MACHINE");
  text = replaced(text, R"(cpu:0 \([^\n]*\), backend)", "cpu:0 (MACHINE), backend");
  return replaced(text, R"(threads \d+)", "threads N");
}

inline void expect_golden(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(TENON_TEST_SOURCE_DIR) / "tests/golden" / name;
  if (std::getenv("TENON_UPDATE_GOLDEN") != nullptr) std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(text, read_file(file)) << file;
}

}  // namespace tenon::test
