#include "locale_guard.h"

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
    : alone_(turn()), library_(library), call_(call) {}

LocaleGuard::~LocaleGuard() {
  if (found_.changes().empty()) return;
  found_.set_back();
  const ReasonInfo& reason = info(Reason::LOCALE_CHANGED);
  logging::write(logging::Level::warn, "plugin",
                 library_.string() + ": " + call_ +
                     " changed the locale, in which numbers are printed and read; it was set back (" +
                     std::string(reason.name) + ": " + std::string(reason.next_step) + ")");
}

}  // namespace tenon::host
