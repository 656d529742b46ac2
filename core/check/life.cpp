// From initialize to shutdown: devices are found, opened, closed and opened again.
#include <algorithm>
#include <array>
#include <bit>

#include "check.h"

namespace tenon::check {
namespace {

tenon_attr unknown_option() {
  tenon_attr option{};
  option.name = "no_such_option";
  option.value.type = TENON_VALUE_TEXT;
  option.value.count = 1;
  option.value.as.s = "1";
  return option;
}

Verdict needs_tables(Bench& bench) {
  if (!bench.plugin().table_fault()) return {};
  return skipped("the plugin's table is not complete: see interface/slots");
}

Verdict is_unknown_option(std::string_view slot, std::int32_t status) {
  if (status != TENON_ERROR_UNKNOWN_OPTION) return is_status(slot, status, TENON_ERROR_UNKNOWN_OPTION);
  return is_worded_error(slot, status);
}

Verdict initialize_option(Bench& bench) {
  TENON_HOLDS(needs_tables(bench));
  const tenon_attr option = unknown_option();
  void* self = nullptr;
  constexpr std::string_view slot = "initialize with the option no_such_option";
  TENON_SEEK(const std::int32_t status,
             status_of(slot, [&] { return bench.plugin().plugin().initialize(&option, 1, &self); }));
  return is_unknown_option(slot, status);
}

Verdict initialize(Bench& bench) { return bench.plugin().initialize(); }

struct Seen {
  std::vector<DeviceFacts> facts;
  std::string fault;
};

std::string fault_of_usable(const tenon_device_info& info) {
  if (!host::has_text(info.name) || !host::has_text(info.memory_domain)) return "name or memory_domain is missing";
  if (!std::has_single_bit(info.base_alignment_bytes) || !std::has_single_bit(info.offset_alignment_bytes))
    return "alignments of " + std::to_string(info.base_alignment_bytes) + " and " +
           std::to_string(info.offset_alignment_bytes) + " bytes are no powers of two";
  if (info.device_class < TENON_CLASS_CPU || info.device_class > TENON_CLASS_OTHER)
    return "device_class is " + std::to_string(info.device_class);
  return {};
}

std::string fault_of(const tenon_device_info& info) {
  if (info.size < offsetof(tenon_device_info, native_float)) return "its size is " + std::to_string(info.size);
  if (!host::has_text(info.kind)) return "its kind is missing";
  if (info.usable == 0) return fault_of_usable(info);
  return host::has_text(info.why_unusable) ? "" : "it is unusable, and does not say why";
}

void see(void* context, const tenon_device_info* info) {
  auto& seen = *static_cast<Seen*>(context);
  if (info == nullptr) {
    seen.fault = "a device without facts";
    return;
  }
  seen.facts.push_back({});
  if (const std::string fault = fault_of(*info); !fault.empty()) {  // what is too small is not read
    if (seen.fault.empty()) seen.fault = "device " + std::to_string(seen.facts.size()) + ": " + fault;
    return;
  }
  seen.facts.back().kind = info->kind != nullptr ? info->kind : "";
  seen.facts.back().ordinal = info->ordinal;
  seen.facts.back().usable = info->usable;
}

sought<Seen> enumerate_once(Bench& bench) {
  Seen seen;
  TENON_HOLDS(
      succeeds("enumerate", [&] { return bench.plugin().devices().enumerate(bench.plugin().self(), see, &seen); }));
  return seen;
}

Verdict enumerate(Bench& bench) {
  TENON_HOLDS(needs_devices(bench));
  TENON_SEEK(const Seen first, enumerate_once(bench));
  if (!first.fault.empty()) return wrong(first.fault, "facts that are complete: tenon_device_info");
  TENON_SEEK(const Seen second, enumerate_once(bench));
  const auto same = [](const DeviceFacts& a, const DeviceFacts& b) {
    return a.kind == b.kind && a.ordinal == b.ordinal && a.usable == b.usable;
  };
  if (std::ranges::equal(first.facts, second.facts, same)) return {};
  return wrong("asked twice, it found other devices the second time", "the same");
}

Verdict usable(Bench& bench) {
  TENON_HOLDS(needs_devices(bench));
  TENON_SEEK(const auto all, bench.plugin().enumerate());
  if (std::ranges::find(all, 0, &DeviceFacts::usable) != all.end()) return {};
  if (all.empty()) return wrong("it found no device", "a device: a certificate is made where the hardware is");
  return wrong("no device can be used; the first: " + all.front().why_unusable,
               "one that can: a certificate is made where the hardware is");
}

Verdict open(Bench& bench) {
  TENON_SEEK(const DeviceFacts facts, bench.usable_device());
  TENON_SEEK(const auto lane, Lane::open(bench.plugin().devices(), bench.plugin().self(), facts));
  return {};
}

/// What open returns; a device that it gives is closed again.
sought<std::int32_t> open_with(Bench& bench, std::string_view slot, std::uint32_t ordinal,
                               std::span<const tenon_attr> options) {
  tenon_device* device = nullptr;
  const Examined& plugin = bench.plugin();
  TENON_SEEK(const std::int32_t status, status_of(slot, [&] {
               return plugin.devices().open(plugin.self(), ordinal, 1, options.data(),
                                            static_cast<std::uint32_t>(options.size()), &device);
             }));
  if (status == TENON_OK && device != nullptr) const OwnedDevice closes(device, plugin.devices().close);
  return status;
}

Verdict open_absent(Bench& bench) {
  TENON_HOLDS(needs_own_device(bench));
  bench.close_lane();
  constexpr std::string_view slot = "open of the ordinal 4000000000";
  TENON_SEEK(const std::int32_t status, open_with(bench, slot, 4'000'000'000u, {}));
  return is_worded_error(slot, status);
}

Verdict open_option(Bench& bench) {
  TENON_HOLDS(needs_own_device(bench));
  bench.close_lane();
  TENON_SEEK(const DeviceFacts facts, bench.usable_device());
  const tenon_attr option = unknown_option();
  constexpr std::string_view slot = "open with the option no_such_option";
  TENON_SEEK(const std::int32_t status, open_with(bench, slot, facts.ordinal, {&option, 1}));
  return is_unknown_option(slot, status);
}

/// Each slot's own answer, where the destructors take none.
Verdict close(Bench& bench) {
  TENON_HOLDS(needs_own_device(bench));
  bench.close_lane();
  TENON_SEEK(const DeviceFacts facts, bench.usable_device());
  const tenon_devices& call = bench.plugin().devices();
  tenon_device* device = nullptr;
  TENON_HOLDS(
      succeeds("open", [&] { return call.open(bench.plugin().self(), facts.ordinal, 1, nullptr, 0, &device); }));
  OwnedDevice open_device(device, call.close);
  tenon_stream* stream = nullptr;
  tenon_event* event = nullptr;
  TENON_HOLDS(succeeds("stream_create", [&] { return call.stream_create(device, 0, &stream); }));
  TENON_HOLDS(succeeds("event_create", [&] { return call.event_create(device, 0, &event); }));
  TENON_HOLDS(succeeds("event_record", [&] { return call.event_record(event, stream); }));
  TENON_HOLDS(succeeds("stream_synchronize", [&] { return call.stream_synchronize(stream, TENON_FOREVER); }));
  TENON_HOLDS(succeeds("event_destroy", [&] { return call.event_destroy(event); }));
  TENON_HOLDS(succeeds("stream_destroy", [&] { return call.stream_destroy(stream); }));
  return succeeds("close", [&] { return call.close(open_device.release()); });
}

/// A device that works: what is written is read back.
Verdict works(const Lane& lane) {
  const Bytes sent = pattern_bytes(1024, 3);
  TENON_SEEK(const Memory memory, lane.allocate(sent.size()));
  TENON_HOLDS(lane.write(memory.at(0), sent));
  TENON_SEEK(const Bytes got, lane.read(memory.at(0), sent.size()));
  return same_bytes("what was written and read back", got, sent);
}

Verdict cycles(Bench& bench) {
  TENON_HOLDS(needs_own_device(bench));
  bench.close_lane();
  for (int cycle = 0; cycle < 20; ++cycle) {
    TENON_SEEK(const DeviceFacts facts, bench.usable_device());
    TENON_SEEK(const auto lane, Lane::open(bench.plugin().devices(), bench.plugin().self(), facts));
    TENON_HOLDS(works(*lane));
  }
  return {};
}

Verdict extension(Bench& bench) {
  TENON_HOLDS(needs_tables(bench));
  if (bench.plugin().plugin().extension == nullptr) return skipped("the plugin leaves the slot empty");
  TENON_HOLDS(bench.initialize());
  const void* given = nullptr;
  TENON_HOLDS(succeeds("extension", [&] {
    given = bench.plugin().plugin().extension(bench.plugin().self(), "no_such_extension", 1);
    return TENON_OK;
  }));
  if (given == nullptr) return {};
  return wrong("extension gave something for the name no_such_extension", "NULL");
}

Verdict quiesce(Bench& bench) {
  TENON_SEEK(Lane* const lane, own_lane(bench));
  const Examined& plugin = bench.plugin();
  TENON_HOLDS(works(*lane));
  TENON_HOLDS(succeeds("quiesce", [&] { return plugin.plugin().quiesce(plugin.self()); }));
  TENON_HOLDS(succeeds("a second quiesce", [&] { return plugin.plugin().quiesce(plugin.self()); }));
  return works(*lane);
}

Verdict shutdown(Bench& bench) {
  TENON_HOLDS(needs_tables(bench));
  TENON_HOLDS(bench.initialize());
  if (const auto lane = bench.lane()) TENON_HOLDS(works(**lane));
  bench.close_lane();
  const Examined& plugin = bench.plugin();
  TENON_HOLDS(succeeds("quiesce", [&] { return plugin.plugin().quiesce(plugin.self()); }));
  return succeeds("shutdown", [&] { return plugin.plugin().shutdown(plugin.self()), TENON_OK; });
}

/// In a process of its own, so that its end is that of a process that did this and no more. There is nothing to find
/// here: who started the process looks at its end.
Verdict exit(Bench& bench) {
  if (const auto lane = bench.lane()) static_cast<void>(works(**lane));
  return {};
}

constexpr auto of_life = std::to_array<Check>({
    {"initialize-option", "initialize refuses an option that it does not know, with a word", initialize_option, nullptr,
     true},
    {"initialize", "initialize succeeds without options", initialize},
    {"enumerate", "enumerate gives complete facts of each device, twice the same", enumerate},
    {"usable", "a device can be used", usable},
    {"open", "a device is opened and gives a stream", open},
    {"open-absent", "open refuses an ordinal that is not there, with a word", open_absent},
    {"open-option", "open refuses an option that it does not know, with a word", open_option},
    {"close", "stream, event and device end with TENON_OK", close},
    {"cycles", "a device is opened, used and closed again and again", cycles},
    {"extension", "an extension that is not known is NULL", extension},
    {"quiesce", "quiesce may be called again and again while no other call is under way, and the device works on",
     quiesce},
    {"shutdown", "after quiesce and shutdown nothing is left to do", shutdown, nullptr, true},
    {"exit", "a process that loaded the plugin ends with status 0", exit, nullptr, true},
});

}  // namespace

std::span<const Check> life_checks() { return of_life; }

}  // namespace tenon::check
