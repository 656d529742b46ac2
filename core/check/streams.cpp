// Streams run their work in order; events tell how far they are.
#include <algorithm>
#include <array>

#include "check.h"

namespace tenon::check {
namespace {

constexpr std::uint64_t bytes = 4096;

/// Two pieces of memory with known content, and the slots by short names.
struct Pair {
  const Lane& lane;
  Memory a, b;

  static sought<Pair> make(const Lane& lane) {
    TENON_SEEK(Memory a, lane.allocate(bytes));
    TENON_SEEK(Memory b, lane.allocate(bytes));
    TENON_HOLDS(lane.write(a.at(0), pattern_bytes(bytes, 1)));
    TENON_HOLDS(lane.write(b.at(0), pattern_bytes(bytes, 2)));
    return Pair{lane, std::move(a), std::move(b)};
  }
  Verdict fill_a(tenon_stream* stream, const Bytes& word) const {
    return succeeds("fill", [&] {
      return lane.call().fill(stream, a.at(0), word.data(), static_cast<std::uint32_t>(word.size()), bytes);
    });
  }
  Verdict copy_a_to_b(tenon_stream* stream) const {
    return succeeds("copy", [&] { return lane.call().copy(stream, b.at(0), a.at(0), bytes); });
  }
};

Bytes repeated(const Bytes& word) {
  Bytes out(bytes);
  for (std::size_t i = 0; i < bytes; ++i) out[i] = word[i % word.size()];
  return out;
}

Verdict record(const Lane& lane, const OwnedEvent& event, tenon_stream* stream) {
  return succeeds("event_record", [&] { return lane.call().event_record(event.get(), stream); });
}
Verdict wait_for(const Lane& lane, const OwnedEvent& event) {
  return succeeds("event_wait", [&] { return lane.call().event_wait(event.get(), TENON_FOREVER); });
}
Verdict synchronize(const Lane& lane, tenon_stream* stream) {
  return succeeds("stream_synchronize", [&] { return lane.call().stream_synchronize(stream, TENON_FOREVER); });
}

/// The statuses of something that may not be done yet.
Verdict is_done_or_pending(std::string_view slot, std::int32_t status) {
  return status == TENON_PENDING ? Verdict{} : is_status(slot, status, TENON_OK);
}

Verdict order(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  const Bytes first = pattern_bytes(8, 5), second = pattern_bytes(8, 6);
  TENON_HOLDS(pair.fill_a(lane->stream(), first));
  TENON_HOLDS(pair.copy_a_to_b(lane->stream()));
  TENON_HOLDS(pair.fill_a(lane->stream(), second));
  TENON_SEEK(const Bytes b, lane->read(pair.b.at(0), bytes));
  TENON_SEEK(const Bytes a, lane->read(pair.a.at(0), bytes));
  TENON_HOLDS(same_bytes("a copy between two fills of its source", b, repeated(first)));
  return same_bytes("memory after its second fill", a, repeated(second));
}

/// What a copy_out has brought when an event after it is said to be done. Whatever is late then arrives before the
/// buffer goes.
sought<Bytes> read_by_event(const Pair& pair, const OwnedEvent& event) {
  const Lane& lane = pair.lane;
  Bytes to(bytes);
  const auto copied = [&]() -> sought<Bytes> {
    TENON_HOLDS(
        succeeds("copy_out", [&] { return lane.call().copy_out(lane.stream(), to.data(), pair.a.at(0), bytes); }));
    TENON_HOLDS(record(lane, event, lane.stream()));
    TENON_HOLDS(wait_for(lane, event));
    TENON_HOLDS(succeeds("event_query after event_wait", [&] { return lane.call().event_query(event.get()); }));
    return to;
  };
  sought<Bytes> out = copied();
  TENON_HOLDS(lane.synchronize());
  return out;
}

Verdict event_follows(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  TENON_SEEK(const OwnedEvent event, lane->make_event());
  const Bytes word = pattern_bytes(8, 5);
  TENON_HOLDS(pair.fill_a(lane->stream(), word));
  TENON_SEEK(const Bytes got, read_by_event(pair, event));
  return same_bytes("what a copy_out before the event brought", got, repeated(word));
}

Verdict event_again(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  TENON_SEEK(const OwnedEvent event, lane->make_event());
  for (unsigned round = 0; round < 3; ++round) {
    const Bytes word = pattern_bytes(8, round);
    TENON_HOLDS(pair.fill_a(lane->stream(), word));
    TENON_SEEK(const Bytes got, read_by_event(pair, event));
    TENON_HOLDS(same_bytes("what an event that is recorded again waits for", got, repeated(word)));
  }
  return {};
}

Verdict no_time(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  TENON_SEEK(const OwnedEvent event, lane->make_event());
  TENON_HOLDS(pair.copy_a_to_b(lane->stream()));
  TENON_HOLDS(record(*lane, event, lane->stream()));
  TENON_SEEK(const std::int32_t queried,
             status_of("event_query", [&] { return lane->call().event_query(event.get()); }));
  TENON_HOLDS(is_done_or_pending("event_query", queried));
  TENON_SEEK(const std::int32_t waited,
             status_of("event_wait", [&] { return lane->call().event_wait(event.get(), 0); }));
  TENON_HOLDS(is_done_or_pending("event_wait without time", waited));
  TENON_SEEK(const std::int32_t synchronized,
             status_of("stream_synchronize", [&] { return lane->call().stream_synchronize(lane->stream(), 0); }));
  TENON_HOLDS(is_done_or_pending("stream_synchronize without time", synchronized));
  TENON_HOLDS(lane->synchronize());
  TENON_HOLDS(succeeds("stream_synchronize of a stream that has nothing to do",
                       [&] { return lane->call().stream_synchronize(lane->stream(), 0); }));
  return succeeds("event_query after its work", [&] { return lane->call().event_query(event.get()); });
}

Verdict across(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(const OwnedStream other, lane->make_stream());
  TENON_SEEK(const OwnedEvent event, lane->make_event());
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  const Bytes word = pattern_bytes(8, 5);
  TENON_HOLDS(pair.fill_a(lane->stream(), word));
  TENON_HOLDS(record(*lane, event, lane->stream()));
  TENON_HOLDS(succeeds("stream_wait", [&] { return lane->call().stream_wait(other.get(), event.get()); }));
  TENON_HOLDS(pair.copy_a_to_b(other.get()));
  TENON_HOLDS(synchronize(*lane, other.get()));
  TENON_HOLDS(lane->synchronize());
  TENON_SEEK(const Bytes b, lane->read(pair.b.at(0), bytes));
  return same_bytes("a copy on a stream that waited for another's fill", b, repeated(word));
}

Verdict many(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  std::vector<OwnedStream> streams;
  std::vector<Memory> pieces;
  for (int i = 0; i < 8; ++i) {
    TENON_SEEK(streams.emplace_back(), lane->make_stream());
    TENON_SEEK(pieces.emplace_back(), lane->allocate(bytes));
  }
  for (unsigned i = 0; i < 8; ++i) {
    const Bytes word = pattern_bytes(4, i);
    TENON_HOLDS(
        succeeds("fill", [&] { return lane->call().fill(streams[i].get(), pieces[i].at(0), word.data(), 4, bytes); }));
  }
  for (unsigned i = 8; i-- != 0;) {
    TENON_HOLDS(synchronize(*lane, streams[i].get()));
    TENON_SEEK(const Bytes got, lane->read(pieces[i].at(0), bytes));
    TENON_HOLDS(
        same_bytes("memory that stream " + std::to_string(i) + " of eight filled", got, repeated(pattern_bytes(4, i))));
  }
  return {};
}

Verdict no_words(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(const OwnedEvent event, lane->make_event());
  TENON_HOLDS(record(*lane, event, lane->stream()));
  TENON_HOLDS(wait_for(*lane, event));
  std::array<char, 16> room{};
  tenon_text text{room.data(), room.size(), 0};
  TENON_HOLDS(succeeds("event_error", [&] { return lane->call().event_error(event.get(), &text); }));
  if (text.length == 0 && text.capacity == room.size() && text.data == room.data()) return {};
  return wrong("event_error left " + std::to_string(text.length) + " bytes of words for work that succeeded",
               "a length of 0 in the host's own buffer");
}

Verdict elapsed(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  if (lane->call().event_elapsed_ns == nullptr) return skipped("the plugin leaves the slot empty");
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  TENON_SEEK(const OwnedEvent from, lane->make_event());
  TENON_SEEK(const OwnedEvent to, lane->make_event());
  TENON_HOLDS(record(*lane, from, lane->stream()));
  TENON_HOLDS(pair.copy_a_to_b(lane->stream()));
  TENON_HOLDS(record(*lane, to, lane->stream()));
  TENON_HOLDS(wait_for(*lane, to));
  std::uint64_t ns = ~std::uint64_t{0};
  TENON_SEEK(const std::int32_t status,
             status_of("event_elapsed_ns", [&] { return lane->call().event_elapsed_ns(from.get(), to.get(), &ns); }));
  if (status == TENON_UNIMPLEMENTED) return skipped("the plugin does not implement the slot");
  TENON_HOLDS(is_status("event_elapsed_ns", status, TENON_OK));
  if (ns <= 60'000'000'000) return {};
  return wrong("event_elapsed_ns says " + std::to_string(ns) + " ns for a copy of a page", "less than a minute");
}

Verdict destroyed(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  TENON_SEEK(OwnedStream stream, lane->make_stream());
  TENON_SEEK(const Pair pair, Pair::make(*lane));
  const Bytes word = pattern_bytes(8, 5);
  TENON_HOLDS(pair.fill_a(stream.get(), word));
  TENON_HOLDS(synchronize(*lane, stream.get()));
  TENON_HOLDS(succeeds("stream_destroy", [&] { return lane->call().stream_destroy(stream.release()); }));
  TENON_SEEK(const Bytes a, lane->read(pair.a.at(0), bytes));
  return same_bytes("what a stream that is gone has filled", a, repeated(word));
}

constexpr auto of_streams = std::to_array<Check>({
    {"order", "the work of one stream is done in order", order},
    {"event-follows", "an event that was waited for is done, and so is the work before it", event_follows},
    {"event-again", "an event may be recorded again", event_again},
    {"no-time", "waits without time answer TENON_OK or TENON_PENDING, and later all is done", no_time},
    {"across", "a stream that waits for an event sees the other stream's work", across},
    {"many", "eight streams do their own work and may be waited for in any order", many},
    {"no-words", "the event of work that succeeded has no words", no_words},
    {"elapsed", "the time between two events is told", elapsed},
    {"destroyed", "the work of a stream outlives it", destroyed},
});

}  // namespace

std::span<const Check> stream_checks() { return of_streams; }

}  // namespace tenon::check
