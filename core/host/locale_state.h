// locale_state.h: the locale of C, of C++ and of the thread, as they were when it was made. For one thread, while no
// other changes a locale.
#pragma once
#include <locale>
#include <string>
#include <vector>

namespace tenon::host {

class LocaleState {
 public:
  LocaleState();
  LocaleState(const LocaleState&) = delete;
  LocaleState& operator=(const LocaleState&) = delete;

  /// Those that are others now: "C's locale", "C++'s locale", "the thread's locale".
  std::vector<std::string> changes() const;
  /// Makes all of them as they were.
  void set_back() const;

 private:
  const std::string c_;    // setlocale's name of it
  const std::locale cpp_;  // std::locale::global
  const ::locale_t thread_;
};

}  // namespace tenon::host
