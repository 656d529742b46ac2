// surroundings.h: what a plugin must leave as it finds it: the thread's floating-point environment, and the locale of
// C, of C++ and of the thread. Of the thread that made it, while no other changes a locale.
#pragma once
#include <string>

#include "locale_state.h"

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
  const host::LocaleState locale_;
};

}  // namespace tenon::check
