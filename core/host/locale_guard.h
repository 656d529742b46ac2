// locale_guard.h: notices a plugin that changes the locale of this process or thread while it is called, and undoes it.
//
// Numbers of a program that is not Tenon's own are printed and read in the locale. The process has one, so that one
// thread at a time is watched: the others wait.
#pragma once
#include <filesystem>
#include <locale>
#include <mutex>
#include <string>

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
  bool is_kept() const;
  void set_back() const;

  const std::lock_guard<std::recursive_mutex> alone_;
  const std::filesystem::path& library_;
  const char* call_;
  const std::string c_;    // setlocale's name of it
  const std::locale cpp_;  // std::locale::global
  const ::locale_t thread_;
};

}  // namespace tenon::host
