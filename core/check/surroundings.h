// surroundings.h: what a plugin must leave as it finds it: the thread's floating-point environment, and the locale of
// C, of C++ and of the thread. Of the thread that made it, while no other changes a locale.
#pragma once
#include <locale>
#include <string>

namespace tenon::check {

/// What became another: "the direction of rounding". Empty: nothing.
struct Changes {
  std::string fp_environment, locale;
};

class Surroundings {
 public:
  /// The locale as it is found, and the floating-point environment of strict numerics, which is set.
  Surroundings();
  Surroundings(const Surroundings&) = delete;
  Surroundings& operator=(const Surroundings&) = delete;

  /// Since it was made, or last asked; all is set back.
  Changes take_changes() const;

 private:
  std::string changed_locale() const;

  const std::string c_;    // setlocale's name of it
  const std::locale cpp_;  // std::locale::global
  const ::locale_t thread_;
};

}  // namespace tenon::check
