// locale_guard.h: notices a plugin that changes the locale of this process or thread while it is called, and undoes it.
//
// Numbers of a program that is not Tenon's own are printed and read in the locale. The process has one, so that one
// thread at a time is watched: the others wait.
#pragma once
#include <filesystem>
#include <mutex>

#include "locale_state.h"

namespace tenon::host {

class LocaleGuard {
 public:
  /// `call`: what is done meanwhile, for the warning.
  LocaleGuard(const std::filesystem::path& library, const char* call);
  /// Warns in the library's name if it changed the locale, and sets it back.
  ~LocaleGuard();
  LocaleGuard(const LocaleGuard&) = delete;
  LocaleGuard& operator=(const LocaleGuard&) = delete;

 private:
  const std::lock_guard<std::recursive_mutex> alone_;
  const std::filesystem::path& library_;
  const char* call_;
  const LocaleState found_;
};

}  // namespace tenon::host
