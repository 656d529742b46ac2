#include "faults.h"

#include <cstdlib>
#include <mutex>

#include "../host_table.h"
#include "tenon/loaded_plugin.h"
#include "tenon/log.h"
#include "tenon/text.h"
#include "tenon/validation.h"

namespace tenon::host {
namespace {

struct Faults {
  std::mutex mutex;
  std::uint64_t count = 0;
  std::string first;
};

Faults& faults() {
  static Faults& instance = *new Faults;
  return instance;
}

std::string note(std::string_view slot, std::string_view plugin, const Fault& fault) {
  std::string text = std::string(slot) + (plugin.empty() ? "" : " of plugin ") + std::string(plugin) + ": " +
                     fault.what + "; the " + (fault.culprit == Culprit::host ? "host's" : "plugin's") +
                     " fault, plugin.h: " + std::string(fault.rule);
  Faults& all = faults();
  const std::lock_guard lock(all.mutex);
  if (all.count++ == 0) all.first = text;
  return text;
}

}  // namespace

std::int32_t refuse(std::string_view slot, std::string_view plugin, const Fault& fault) {
  const std::string text = note(slot, plugin, fault);
  static_cast<const tenon_host*>(host_table(TENON_ABI))->set_error(status_validation_failed, text.c_str());
  return status_validation_failed;
}

void tell_log(std::string_view slot, std::string_view plugin, const Fault& fault) {
  logging::write(logging::Level::error, "validate", note(slot, plugin, fault));
}

}  // namespace tenon::host

namespace tenon {

result<bool> validates() {
  const char* variable = std::getenv("TENON_VALIDATE");
  const std::string_view value = variable != nullptr ? variable : "";
  if (value.empty() || value == "0") return false;
  if (value == "1") return true;
  return fail(Reason::USAGE, "[validate] TENON_VALIDATE: found \"" + excerpt(value, 60) + "\", expected 0 or 1",
              "set TENON_VALIDATE=1, or unset it");
}

std::uint64_t validation_faults() {
  host::Faults& all = host::faults();
  const std::lock_guard lock(all.mutex);
  return all.count;
}

result<void> check_validation() {
  host::Faults& all = host::faults();
  const std::lock_guard lock(all.mutex);
  if (all.count == 0) return {};
  const std::string more = all.count == 1 ? "" : " (and " + std::to_string(all.count - 1) + " more)";
  return fail(Reason::VALIDATION_FAILED, "[validate] " + all.first + more);
}

}  // namespace tenon
