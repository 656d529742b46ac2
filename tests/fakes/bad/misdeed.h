// misdeed.h: what a plugin must not do, done where the environment says: FAULTY_DEED in the function FAULTY_PLACE.
#pragma once
#include <unistd.h>

#include <clocale>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <locale>
#include <stdexcept>
#include <string>
#include <string_view>

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace faulty {

inline std::string_view variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr ? value : "";
}

inline void crash() {
  std::signal(SIGSEGV, SIG_DFL);  // a sanitizer would make an exit of it
  std::raise(SIGSEGV);
}

inline void flush_to_zero() {
#if defined(__x86_64__)
  _mm_setcsr(_mm_getcsr() | 0x8040);
#endif
}

/// With decimal commas if the environment tells where such a locale is.
inline void change_c_locale() {
  if (std::setlocale(LC_ALL, "comma") == nullptr) std::setlocale(LC_ALL, "C.UTF-8");
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};
inline void change_cpp_locale() { std::locale::global(std::locale(std::locale::classic(), new Commas)); }

/// A copy of a global one: newlocale() loses memory where LOCPATH is set.
inline locale_t copy_of_changed_locale() {
  const std::string before = std::setlocale(LC_ALL, nullptr);
  change_c_locale();
  const locale_t copy = ::duplocale(LC_GLOBAL_LOCALE);
  std::setlocale(LC_ALL, before.c_str());
  return copy;
}
inline void change_thread_locale() {
  static const locale_t other = copy_of_changed_locale();
  ::uselocale(other);
}

/// Memory and open files that nobody gives back.
inline void leak() {
  static void* last = nullptr;  // a checker for leaks would report what nothing points to
  void** block = static_cast<void**>(std::malloc(1 << 16));
  *block = last;
  last = block;
  static_cast<void>(::dup(STDERR_FILENO));
}

inline void commit(std::string_view deed, const char* where) {
  if (deed == "crash") crash();
  if (deed == "hang")
    while (true) ::pause();
  if (deed == "print") std::printf("printed in %s\n", where);
  if (deed == "throw") throw std::runtime_error(std::string("thrown in ") + where);
  if (deed == "throw a number") throw 42;
  if (deed == "flush to zero") flush_to_zero();
  if (deed == "change the C locale") change_c_locale();
  if (deed == "change the C++ locale") change_cpp_locale();
  if (deed == "change the thread's locale") change_thread_locale();
  if (deed == "leak") leak();
}

/// Every function of a plugin begins with this.
inline void reach(const char* where) {
  if (variable("FAULTY_PLACE") == where || variable("FAULTY_PLACE") == "everywhere")
    commit(variable("FAULTY_DEED"), where);
}

}  // namespace faulty
