#include "locale_guard.h"

#include <clocale>

#include "tenon/log.h"

namespace tenon::host {

LocaleGuard::LocaleGuard(const std::filesystem::path& library, const char* call)
    : library_(library), call_(call), c_(std::setlocale(LC_ALL, nullptr)), thread_(::uselocale(nullptr)) {}

LocaleGuard::~LocaleGuard() {
  if (is_kept()) return;
  set_back();
  logging::write(logging::Level::warn, "plugin",
                 library_.string() + ": " + call_ +
                     " changed the locale, in which numbers are printed and read; it was set back: report this to its "
                     "vendor");
}

bool LocaleGuard::is_kept() const {
  return c_ == std::setlocale(LC_ALL, nullptr) && cpp_ == std::locale() && thread_ == ::uselocale(nullptr);
}

/// The order matters: a global locale of C++ that has a name becomes C's, too.
void LocaleGuard::set_back() const {
  ::uselocale(thread_);
  std::locale::global(cpp_);
  std::setlocale(LC_ALL, c_.c_str());
}

}  // namespace tenon::host
