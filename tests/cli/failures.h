// failures.h: what every refused run has in common: its status, one error, nothing else printed, nothing on disk
// changed.
#pragma once
#include <gtest/gtest.h>

#include "run_tenon.h"

namespace tenon::test {

/// Runs `args` and expects it to fail with `status`; answers standard error.
inline std::string expect_failure(const Workplace& place, const std::vector<std::string>& args, int status) {
  const auto before = place.contents();
  const Outcome outcome = place.tenon(args);
  EXPECT_EQ(outcome.status, status) << outcome.err;
  EXPECT_EQ(outcome.out, "");
  EXPECT_EQ(lines_that_begin_with(outcome.err, "error: ").size(), 1u) << outcome.err;
  EXPECT_EQ(place.contents(), before);
  return outcome.err;
}

inline std::string expect_failure(const Workplace& place, const std::vector<std::string>& args) {
  return expect_failure(place, args, 1);
}
inline std::string expect_misuse(const Workplace& place, const std::vector<std::string>& args) {
  return expect_failure(place, args, 2);
}

/// Three features whose greatest one is the class: quickly learnt.
inline std::string three_classes(int rows = 60) {
  std::string text = "a,b,c,label\n";
  for (int i = 0; i < rows; ++i) {
    const int label = i % 3;
    for (int c = 0; c < 3; ++c) text += std::to_string(c == label ? 9 + i % 2 : (i * 7 + c) % 4) + ",";
    text += std::to_string(label) + "\n";
  }
  return text;
}

/// A table of CSV without quotes with its columns from right to left.
inline std::string columns_reversed(const std::string& text) {
  std::string out;
  for (std::string line : lines(text)) {
    std::string reversed;
    for (std::size_t comma; (comma = line.rfind(',')) != std::string::npos; line.resize(comma))
      reversed += line.substr(comma + 1) + ",";
    out += reversed + line + "\n";
  }
  return out;
}

}  // namespace tenon::test
