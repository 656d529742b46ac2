#include "tables.h"

#include <initializer_list>
#include <optional>

namespace tenon::host {
namespace {

struct Slot {
  const char* name;
  bool filled;
};

std::optional<std::string> first_empty(std::initializer_list<Slot> slots) {
  for (const Slot& slot : slots)
    if (!slot.filled) return slot.name;
  return std::nullopt;
}

std::optional<std::string> missing_in(const tenon_plugin& t) {
  return first_empty({{"id", has_text(t.id)},
                      {"vendor", has_text(t.vendor)},
                      {"version", has_text(t.version)},
                      {"capsules", t.capsule_count == 0 || t.capsules != nullptr},
                      {"initialize", t.initialize != nullptr},
                      {"quiesce", t.quiesce != nullptr},
                      {"shutdown", t.shutdown != nullptr}});
}

std::optional<std::string> missing_in(const tenon_devices& t) {
  return first_empty({{"enumerate", t.enumerate != nullptr},
                      {"open", t.open != nullptr},
                      {"close", t.close != nullptr},
                      {"memory_alloc", t.memory_alloc != nullptr},
                      {"memory_free", t.memory_free != nullptr},
                      {"memory_info", t.memory_info != nullptr},
                      {"memory_trim", t.memory_trim != nullptr},
                      {"stream_create", t.stream_create != nullptr},
                      {"stream_destroy", t.stream_destroy != nullptr},
                      {"stream_wait", t.stream_wait != nullptr},
                      {"stream_synchronize", t.stream_synchronize != nullptr},
                      {"copy", t.copy != nullptr},
                      {"copy_in", t.copy_in != nullptr},
                      {"copy_out", t.copy_out != nullptr},
                      {"fill", t.fill != nullptr},
                      {"event_create", t.event_create != nullptr},
                      {"event_destroy", t.event_destroy != nullptr},
                      {"event_record", t.event_record != nullptr},
                      {"event_query", t.event_query != nullptr},
                      {"event_wait", t.event_wait != nullptr},
                      {"event_error", t.event_error != nullptr}});
}

/// Where the mandatory part ends; what follows is optional.
constexpr std::size_t mandatory_plugin_bytes = offsetof(tenon_plugin, extension);
constexpr std::size_t mandatory_devices_bytes = offsetof(tenon_devices, event_elapsed_ns);

template <class... Arguments>
void fill(std::int32_t (*&slot)(Arguments...)) {
  if (slot == nullptr) slot = +[](Arguments...) -> std::int32_t { return TENON_UNIMPLEMENTED; };
}

/// Functions that make sense together only.
void drop_partial_graphs(tenon_devices& t) {
  if (t.graph_begin != nullptr && t.graph_end != nullptr && t.graph_launch != nullptr && t.graph_destroy != nullptr)
    return;
  t.graph_begin = nullptr;
  t.graph_end = nullptr;
  t.graph_launch = nullptr;
  t.graph_destroy = nullptr;
}

void fill_slots(tenon_devices& t) {
  drop_partial_graphs(t);
  fill(t.enumerate), fill(t.open), fill(t.close);
  fill(t.memory_alloc), fill(t.memory_free), fill(t.memory_import), fill(t.memory_export);
  fill(t.memory_info), fill(t.memory_trim);
  fill(t.stream_create), fill(t.stream_destroy), fill(t.stream_native), fill(t.stream_wait), fill(t.stream_synchronize);
  fill(t.copy), fill(t.copy_in), fill(t.copy_out), fill(t.copy_peer), fill(t.fill);
  fill(t.event_create), fill(t.event_destroy), fill(t.event_record), fill(t.event_query), fill(t.event_wait);
  fill(t.event_error), fill(t.event_elapsed_ns);
  fill(t.submit);
  fill(t.graph_begin), fill(t.graph_end), fill(t.graph_launch), fill(t.graph_destroy);
  fill(t.stream_label);
}

/// The refusals of one file's tables.
struct Check {
  const std::filesystem::path& file;
  const std::string& offered;

  tl::unexpected<Error> refuse(const std::string& what) const {
    return fail(Reason::BAD_TABLE, "[plugin] " + file.string() + ": " + what + "; " + offered,
                "update the plugin: rebuild it with this Tenon's SDK");
  }

  result<void> size(const char* table, std::uint32_t found, std::size_t needed) const {
    if (found >= needed) return {};
    return refuse(std::string("its ") + table + " is too small: found " + std::to_string(found) + " bytes, expected " +
                  std::to_string(needed) + " at least");
  }

  result<void> complete(const char* table, const std::optional<std::string>& missing) const {
    if (!missing) return {};
    return refuse(std::string("its ") + table + " leaves the mandatory slot '" + *missing + "' empty");
  }
};

}  // namespace

result<void> copy_plugin_table(const std::filesystem::path& file, const tenon_plugin& theirs,
                               const std::string& offered, PluginTables& ours) {
  const Check check{file, offered};
  TENON_CHECK(check.size("tenon_plugin", theirs.size, mandatory_plugin_bytes));
  ours.plugin = copy_sized(theirs);
  TENON_CHECK(check.complete("tenon_plugin", missing_in(ours.plugin)));
  if (theirs.devices != nullptr) {
    TENON_CHECK(check.size("tenon_devices", theirs.devices->size, mandatory_devices_bytes));
    ours.devices = copy_sized(*theirs.devices);
    TENON_CHECK(check.complete("tenon_devices", missing_in(ours.devices)));
  }
  ours.devices.size = sizeof(tenon_devices);
  fill_slots(ours.devices);
  return {};
}

}  // namespace tenon::host
