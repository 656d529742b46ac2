// What may be called from any thread is called from four at once.
#include <algorithm>
#include <array>
#include <optional>

#include "at_once.h"
#include "check.h"
#include "kernel_run.h"

namespace tenon::check {
namespace {

constexpr std::size_t thread_count = 4;

Verdict memory(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  std::array<std::vector<Memory>, thread_count> pieces;
  TENON_HOLDS(at_once(thread_count, [&](std::size_t thread) -> Verdict {
    for (std::uint64_t i = 0; i < 200; ++i) {
      TENON_SEEK(Memory piece, lane->allocate(64 + i));
      if (i % 4 == 0) pieces[thread].push_back(std::move(piece));
    }
    return {};
  }));
  std::vector<std::uint64_t> handles;
  for (const auto& list : pieces)
    for (const Memory& piece : list) handles.push_back(piece.said().memory);
  std::ranges::sort(handles);
  if (std::ranges::adjacent_find(handles) == handles.end()) return {};
  return wrong("two threads were given the same memory", "memory of their own");
}

Verdict events(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  return at_once(thread_count, [&](std::size_t) -> Verdict {
    for (int i = 0; i < 100; ++i) {
      TENON_SEEK(const OwnedStream stream, lane->make_stream());
      TENON_SEEK(const OwnedEvent event, lane->make_event());
      TENON_HOLDS(succeeds("event_record", [&] { return lane->call().event_record(event.get(), stream.get()); }));
      TENON_HOLDS(succeeds("event_wait", [&] { return lane->call().event_wait(event.get(), TENON_FOREVER); }));
      TENON_HOLDS(
          succeeds("stream_synchronize", [&] { return lane->call().stream_synchronize(stream.get(), TENON_FOREVER); }));
    }
    return {};
  });
}

/// Each thread its own stream, as each session has.
Verdict streams(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  constexpr std::size_t bytes = 4096;
  return at_once(thread_count, [&](std::size_t thread) -> Verdict {
    TENON_SEEK(const OwnedStream stream, lane->make_stream());
    TENON_SEEK(const Memory memory, lane->allocate(bytes));
    for (unsigned i = 0; i < 50; ++i) {
      const Bytes sent = pattern_bytes(bytes, static_cast<unsigned>(thread) * 100 + i);
      Bytes got(bytes);
      TENON_HOLDS(
          succeeds("copy_in", [&] { return lane->call().copy_in(stream.get(), memory.at(0), sent.data(), bytes); }));
      TENON_HOLDS(
          succeeds("copy_out", [&] { return lane->call().copy_out(stream.get(), got.data(), memory.at(0), bytes); }));
      TENON_HOLDS(
          succeeds("stream_synchronize", [&] { return lane->call().stream_synchronize(stream.get(), TENON_FOREVER); }));
      TENON_HOLDS(same_bytes("what one of four threads wrote and read back", got, sent));
    }
    return {};
  });
}

Verdict prepare(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(const Lane* const lane, bench.lane());
  TENON_SEEK(const auto drawn, a_served_case(*lane, capsule));
  return at_once(thread_count, [&](std::size_t) -> Verdict {
    for (int i = 0; i < 25; ++i) {
      TENON_SEEK(const bool is_served, serves(*lane, capsule, drawn->signature.get()));
      if (!is_served) return wrong("supports declines in one thread what it accepts in another", "one answer");
      TENON_SEEK(const auto kernel, PreparedKernel::prepare(*lane, capsule, drawn->signature.get()));
    }
    return {};
  });
}

/// One kernel, two streams, two threads; each with arguments of its own.
Verdict reentrant(Bench& bench, const tenon_capsule& capsule) {
  if ((capsule.traits & TENON_TRAIT_REENTRANT) == 0) return skipped("it does not claim TENON_TRAIT_REENTRANT");
  TENON_SEEK(const Lane* const lane, bench.lane());
  TENON_SEEK(const auto drawn, a_served_case(*lane, capsule));
  TENON_SEEK(const auto expected, run_case(*lane, capsule, *drawn));
  TENON_SEEK(const auto kernel, PreparedKernel::prepare(*lane, capsule, drawn->signature.get()));
  std::array<std::optional<PlacedCase>, 2> placed;
  std::array<OwnedStream, 2> streams;  // two at once, also where one thread is done before the other begins
  for (std::size_t i = 0; i < placed.size(); ++i) {
    TENON_SEEK(placed[i], PlacedCase::place(*lane, *drawn, kernel.prepared(), Placement::apart));
    TENON_SEEK(streams[i], lane->make_stream());
  }
  TENON_HOLDS(at_once(placed.size(), [&](std::size_t thread) -> Verdict {
    tenon_stream* const stream = streams[thread].get();
    for (int i = 0; i < 20; ++i) TENON_HOLDS(kernel.launch(placed[thread]->args(), stream));
    return succeeds("stream_synchronize", [&] { return lane->call().stream_synchronize(stream, TENON_FOREVER); });
  }));
  for (const auto& p : placed) {
    TENON_SEEK(const auto found, p->outputs(*lane));
    for (std::size_t i = 0; i < found.size(); ++i)
      TENON_HOLDS(same_bytes("output " + std::to_string(i) + " of a kernel that two threads launched",
                             with_one_nan(found[i], drawn->real), with_one_nan(expected[i], drawn->real)));
  }
  return {};
}

constexpr auto of_threads = std::to_array<Check>({
    {"memory", "four threads take and give back memory at once", memory},
    {"events", "four threads make and end streams and events at once", events},
    {"streams", "four threads copy on streams of their own at once", streams},
    {"prepare", "four threads ask and prepare at once", nullptr, prepare},
    {"reentrant", "a kernel that claims to be reentrant is launched on two streams at once", nullptr, reentrant},
});

}  // namespace

std::span<const Check> thread_checks() { return of_threads; }

}  // namespace tenon::check
