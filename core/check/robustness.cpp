// What a plugin does when memory runs out, and what it leaves behind.
#include <array>

#include "check.h"
#include "kernel_run.h"

namespace tenon::check {
namespace {

/// The most allocations of one call that are made to fail, one after the other.
constexpr long most_failures = 200;

/// Calls that are repeated with their n-th allocation failing, for n = 0, 1, ... until none fails any more: each must
/// succeed or fail with a word. `fail` arms the n-th (below 0: none), `failed` tells whether it was reached.
template <class Fail, class Failed, class Call>
Verdict with_failures(std::string_view slot, const Fail& fail, const Failed& failed, const Call& call) {
  for (long n = 0; n < most_failures; ++n) {
    take_words();
    fail(n);
    const auto status = status_of(slot, call);
    const bool was_reached = failed();
    fail(-1);
    TENON_HOLDS(status);
    if (!was_reached) return is_status(slot, *status, TENON_OK);
    if (*status == TENON_OK) continue;
    const std::string when = std::string(slot) + ", whose allocation " + std::to_string(n + 1) + " failed,";
    TENON_HOLDS(is_worded_error(when, *status));
  }
  return {};
}

template <class Call>
Verdict with_failing_host(std::string_view slot, const Call& call) {
  return with_failures(slot, fail_host_allocation, host_allocation_failed, call);
}

template <class Call>
Verdict with_failing_malloc(const Bench& bench, std::string_view slot, const Call& call) {
  return with_failures(slot, bench.allocation().fail_nth, bench.allocation().failed, call);
}

/// What the device-wide slots make, each destroyed at once if it came to be.
template <class With>
Verdict each_maker(const Lane& lane, const With& with) {
  const tenon_devices& call = lane.call();
  TENON_HOLDS(with("memory_alloc", [&] {
    tenon_memory memory{};
    memory.size = sizeof memory;
    const std::int32_t status =
        call.memory_alloc(lane.device(), 256, lane.alignment_bytes(), TENON_MEMORY_DEVICE, &memory);
    if (status == TENON_OK) call.memory_free(lane.device(), memory.memory);
    return status;
  }));
  TENON_HOLDS(with("stream_create", [&] {
    tenon_stream* stream = nullptr;
    const std::int32_t status = call.stream_create(lane.device(), 0, &stream);
    if (status == TENON_OK) call.stream_destroy(stream);
    return status;
  }));
  return with("event_create", [&] {
    tenon_event* event = nullptr;
    const std::int32_t status = call.event_create(lane.device(), 0, &event);
    if (status == TENON_OK) call.event_destroy(event);
    return status;
  });
}

/// Opening and closing.
template <class With>
Verdict opening(Bench& bench, const With& with) {
  bench.close_lane();
  TENON_SEEK(const DeviceFacts facts, bench.usable_device());
  const Examined& plugin = bench.plugin();
  return with("open", [&] {
    tenon_device* device = nullptr;
    const std::int32_t status = plugin.devices().open(plugin.self(), facts.ordinal, 1, nullptr, 0, &device);
    if (status == TENON_OK) plugin.devices().close(device);
    return status;
  });
}

Verdict host_memory(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const auto with = [](std::string_view slot, const auto& call) { return with_failing_host(slot, call); };
  TENON_HOLDS(each_maker(*lane, with));
  return opening(bench, with);
}

Verdict failing_malloc(Bench& bench) {
  TENON_HOLDS(needs_allocation_control(bench));
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const auto with = [&](std::string_view slot, const auto& call) { return with_failing_malloc(bench, slot, call); };
  TENON_HOLDS(each_maker(*lane, with));
  return opening(bench, with);
}

/// Preparing and releasing.
sought<std::int32_t> prepare_once(const Served& served, const tenon_capsule& capsule) {
  tenon_kernel prepared{};
  prepared.size = sizeof prepared;
  const std::int32_t status =
      capsule.prepare(&capsule, served.lane->device(), &served.drawn->signature.get(), &prepared);
  if (status == TENON_OK) TENON_HOLDS(release(capsule, prepared.kernel));
  return status;
}

Verdict prepare_host_memory(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  return with_failing_host("prepare", [&] { return prepare_once(served, capsule); });
}

Verdict prepare_malloc(Bench& bench, const tenon_capsule& capsule) {
  TENON_HOLDS(needs_allocation_control(bench));
  TENON_SEEK(const Served served, served_case(bench, capsule));
  return with_failing_malloc(bench, "prepare", [&] { return prepare_once(served, capsule); });
}

/// supports() may answer what it likes but may not throw.
Verdict supports_malloc(Bench& bench, const tenon_capsule& capsule) {
  TENON_HOLDS(needs_allocation_control(bench));
  TENON_SEEK(const Served served, served_case(bench, capsule));
  std::array<char, 256> room{};
  return with_failing_malloc(bench, "supports", [&] {
    tenon_text text{room.data(), room.size(), 0};
    const std::int32_t status =
        capsule.supports(&capsule, served.lane->device(), &served.drawn->signature.get(), &text);
    return status == TENON_DECLINED ? TENON_OK : status;
  });
}

Verdict launch_allocates(Bench& bench, const tenon_capsule& capsule) {
  TENON_HOLDS(needs_allocation_control(bench));
  TENON_SEEK(const Served served, served_case(bench, capsule));
  TENON_SEEK(const auto kernel, PreparedKernel::prepare(*served.lane, capsule, served.drawn->signature.get()));
  TENON_SEEK(const auto placed,
             PlacedCase::place(*served.lane, *served.drawn, kernel.prepared(), Placement::in_granted_places));
  const tenon_args args = placed.args();
  TENON_HOLDS(kernel.launch(args, served.lane->stream()));  // the first may make what all others use
  TENON_HOLDS(served.lane->synchronize());
  long taken = 0;
  TENON_HOLDS(succeeds("launch", [&] {
    const long before = bench.allocation().count();
    const std::int32_t status = kernel.raw_launch(args, served.lane->stream());
    taken = bench.allocation().count() - before;
    return status;
  }));
  TENON_HOLDS(served.lane->synchronize());
  if (taken == 0) return {};
  return wrong("a launch allocates memory " + std::to_string(taken) + " times", "no allocation on the launch path");
}

// -- leaks --------------------------------------------------------------------------------------------------

/// Blocks that are alive: all of them, or where nobody counts those, the host table's.
long live_blocks(const Bench& bench) {
  const auto& count = bench.allocation().live_blocks;
  return count != nullptr ? count() : live_host_blocks();
}

/// A few rounds may fill caches; after them nothing may grow from round to round.
template <class Round>
Verdict stays_level(const Bench& bench, const char* what, const Round& round) {
  constexpr int rounds = 8;
  for (int i = 0; i < 3; ++i) TENON_HOLDS(round());
  const long before = live_blocks(bench);
  for (int i = 0; i < rounds; ++i) TENON_HOLDS(round());
  const long grown = live_blocks(bench) - before;
  if (grown < rounds) return {};
  return wrong("blocks of memory that are left after " + std::to_string(rounds) + " times " + what + ": " +
                   std::to_string(grown),
               "as many as before");
}

Verdict device_leaks(Bench& bench) {
  TENON_HOLDS(needs_own_device(bench));
  bench.close_lane();
  const std::size_t threads = threads_of_this_process();
  TENON_HOLDS(stays_level(bench, "opening, using and closing a device", [&]() -> Verdict {
    bench.close_lane();
    TENON_SEEK(const Lane* const lane, bench.lane());
    TENON_SEEK(const Memory memory, lane->allocate(4096));
    TENON_SEEK(const OwnedEvent event, lane->make_event());
    TENON_HOLDS(lane->write(memory.at(0), pattern_bytes(4096, 1)));
    TENON_HOLDS(succeeds("event_record", [&] { return lane->call().event_record(event.get(), lane->stream()); }));
    TENON_HOLDS(lane->synchronize());
    return {};
  }));
  bench.close_lane();
  const std::size_t now = threads_of_this_process();
  if (now < threads + 8) return {};
  return wrong("threads grew from " + std::to_string(threads) + " to " + std::to_string(now), "as many as before");
}

Verdict kernel_leaks(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  return stays_level(bench, "preparing, launching and releasing", [&]() -> Verdict {
    TENON_SEEK(const auto outputs, run_case(*served.lane, capsule, *served.drawn));
    return {};
  });
}

// -- the process --------------------------------------------------------------------------------------------

using Part = std::string Changes::*;

Verdict is_kept(const char* call, const std::string& changed) {
  if (changed.empty()) return {};
  return wrong(std::string(call) + " changed " + changed, "what it found, when it returns");
}

template <Part part>
Verdict load_keeps(Bench& bench) {
  return is_kept("loading it", bench.plugin().changed_by_load().*part);
}

template <Part part>
Verdict device_keeps(Bench& bench) {
  TENON_HOLDS(needs_devices(bench));
  TENON_HOLDS(is_kept("initialize", bench.plugin().changed_by_initialize().*part));
  bench.close_lane();
  const Surroundings found;
  TENON_HOLDS(bench.usable_device());
  TENON_HOLDS(is_kept("enumerate", found.take_changes().*part));
  TENON_SEEK(const Lane* const lane, bench.lane());
  TENON_HOLDS(is_kept("opening a device", found.take_changes().*part));
  {
    TENON_SEEK(const Memory memory, lane->allocate(64));
    TENON_SEEK(const OwnedEvent event, lane->make_event());
    TENON_HOLDS(is_kept("making memory and an event", found.take_changes().*part));
    TENON_HOLDS(lane->write(memory.at(0), pattern_bytes(32, 1)));
    TENON_HOLDS(lane->copy(memory.at(32), memory.at(0), 32));
    TENON_HOLDS(lane->fill(memory.at(0), pattern_bytes(4, 1), 32));
    TENON_SEEK(const Bytes got, lane->read(memory.at(0), 64));
    TENON_HOLDS(is_kept("a copy or a fill", found.take_changes().*part));
  }
  bench.close_lane();
  return is_kept("freeing and closing", found.take_changes().*part);
}

template <Part part>
Verdict launch_keeps(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Served served, served_case(bench, capsule));
  const Surroundings found;
  {
    TENON_HOLDS(serves(*served.lane, capsule, served.drawn->signature.get()));
    TENON_SEEK(const auto kernel, PreparedKernel::prepare(*served.lane, capsule, served.drawn->signature.get()));
    TENON_HOLDS(is_kept("supports or prepare", found.take_changes().*part));
    TENON_SEEK(const auto placed,
               PlacedCase::place(*served.lane, *served.drawn, kernel.prepared(), Placement::in_granted_places));
    static_cast<void>(found.take_changes());  // of copies: device_keeps() looks at those
    TENON_HOLDS(kernel.launch(placed.args(), served.lane->stream()));
    TENON_HOLDS(served.lane->synchronize());
    TENON_HOLDS(is_kept("a launch", found.take_changes().*part));
  }
  return is_kept("release", found.take_changes().*part);
}

constexpr Part fp = &Changes::fp_environment, locale = &Changes::locale;

constexpr auto of_robustness = std::to_array<Check>({
    {"host-memory", "where host->alloc fails, slots of the device fail with a word, and work again later", host_memory},
    {"malloc", "where malloc fails, slots of the device fail with a word, and work again later", failing_malloc},
    {"prepare-host-memory", "where host->alloc fails, prepare fails with a word", nullptr, prepare_host_memory},
    {"prepare-malloc", "where malloc fails, prepare fails with a word", nullptr, prepare_malloc},
    {"supports-malloc", "where malloc fails, supports answers or fails with a word", nullptr, supports_malloc},
    {"launch-allocates", "a launch allocates nothing", nullptr, launch_allocates},
    {"device-leaks", "devices that are opened and closed leave no memory and no threads behind", device_leaks},
    {"kernel-leaks", "kernels that are prepared and released leave no memory behind", nullptr, kernel_leaks},
    {"fp-load", "loading leaves the floating-point environment as it was", load_keeps<fp>},
    {"fp-device", "initialize, and what a device does, leave the floating-point environment as it was",
     device_keeps<fp>},
    {"fp-launch", "a launch leaves the floating-point environment as it was", nullptr, launch_keeps<fp>},
    {"locale-load", "loading leaves the locale of C, of C++ and of the thread as it was", load_keeps<locale>},
    {"locale-device", "initialize, and what a device does, leave the locale as it was", device_keeps<locale>},
    {"locale-launch", "a launch leaves the locale as it was", nullptr, launch_keeps<locale>},
    {"stdout", "nothing is written to standard output", [](Bench&) -> Verdict { return {}; }},
});

}  // namespace

std::span<const Check> robustness_checks() { return of_robustness; }

}  // namespace tenon::check
