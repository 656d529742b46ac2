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

/// Paths, the user's folders, the machine's name and the number of threads.
inline std::string normalised(std::string text) {
  text = replaced(text, R"(/[^ \n]*/(libtenon_[a-z]+\.so))", "PLUGINS/$1");
  text = replaced(text, R"(/[^ \n]+/\.local/[^ \n:]+)", "HOME/.local/PLUGINS");
  text = replaced(text, R"(cpu:0 \([^)\n]*(\([^)\n]*\)[^)\n]*)*\))", "cpu:0 (MACHINE)");
  text = replaced(text, R"(threads \d+)", "threads N");
  return text;
}

inline void expect_golden(const std::string& name, const std::string& text) {
  const fs::path file = fs::path(TENON_TEST_SOURCE_DIR) / "tests/golden" / name;
  if (std::getenv("TENON_UPDATE_GOLDEN") != nullptr) std::ofstream(file, std::ios::binary) << text;
  EXPECT_EQ(text, read_file(file)) << file;
}

}  // namespace tenon::test
