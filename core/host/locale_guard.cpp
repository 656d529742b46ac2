#include "locale_guard.h"

#include <clocale>

#include "tenon/error.h"
#include "tenon/log.h"

namespace tenon::host {
namespace {

/// Recursive: a plugin may load and enumerate others through the host.
std::recursive_mutex& turn() {
  static std::recursive_mutex mutex;
  return mutex;
}

}  // namespace

LocaleGuard::LocaleGuard(const std::filesystem::path& library, const char* call)
    : alone_(turn()),
      library_(library),
      call_(call),
      c_(std::setlocale(LC_ALL, nullptr)),
      thread_(::uselocale(nullptr)) {}

LocaleGuard::~LocaleGuard() {
  if (is_kept()) return;
  set_back();
  const ReasonInfo& reason = info(Reason::LOCALE_CHANGED);
  logging::write(logging::Level::warn, "plugin",
                 library_.string() + ": " + call_ +
                     " changed the locale, in which numbers are printed and read; it was set back (" +
                     std::string(reason.name) + ": " + std::string(reason.next_step) + ")");
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
