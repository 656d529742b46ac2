// words.h: how the validator writes numbers: alike in every locale of the program. Any thread.
#pragma once
#include <locale>
#include <sstream>
#include <string>

namespace tenon::host {

inline std::ostringstream classic_stream() {
  std::ostringstream out;
  out.imbue(std::locale::classic());
  return out;
}

/// All parts in turn, as a stream prints them.
template <class... Parts>
std::string text(const Parts&... parts) {
  std::ostringstream out = classic_stream();
  (out << ... << parts);
  return out.str();
}

}  // namespace tenon::host
