#include "lane.h"

#include <algorithm>

namespace tenon::check {
namespace {

/// What no device needs more than for the offset of a copy, whatever its kernels ask of their operands.
constexpr std::uint64_t word_bytes = 4;

std::string hex(std::byte b) {
  constexpr std::string_view digits = "0123456789abcdef";
  const auto value = std::to_integer<unsigned>(b);
  return {'0', 'x', digits[value >> 4], digits[value & 15]};
}

}  // namespace

Bytes pattern_bytes(std::size_t count, unsigned seed) {
  Bytes out(count);
  unsigned state = seed * 2654435761u + 1;
  for (std::byte& b : out) {
    state = state * 1664525u + 1013904223u;
    b = static_cast<std::byte>(state >> 24);
  }
  return out;
}

Verdict same_bytes(std::string_view what, std::span<const std::byte> found, std::span<const std::byte> expected) {
  const auto [at, wanted] = std::ranges::mismatch(found, expected);
  if (at == found.end()) return {};
  return wrong(std::string(what) + ": byte " + std::to_string(at - found.begin()) + " of " +
                   std::to_string(found.size()) + " is " + hex(*at),
               hex(*wanted));
}

sought<std::unique_ptr<Lane>> Lane::open(const tenon_devices& call, void* self, const DeviceFacts& facts) {
  std::unique_ptr<Lane> lane(new Lane(call, facts));
  tenon_device* device = nullptr;
  TENON_HOLDS(succeeds("open", [&] { return call.open(self, facts.ordinal, 1, nullptr, 0, &device); }));
  if (device == nullptr) return wrong("open returned TENON_OK and no device", "a device");
  lane->device_ = {device, call.close};
  TENON_SEEK(lane->stream_, lane->make_stream());
  return lane;
}

Lane::~Lane() {
  if (stream_.get() != nullptr)
    static_cast<void>(
        status_of("stream_synchronize", [&] { return call_.stream_synchronize(stream(), TENON_FOREVER); }));
}

sought<OwnedStream> Lane::make_stream() const {
  tenon_stream* stream = nullptr;
  TENON_HOLDS(succeeds("stream_create", [&] { return call_.stream_create(device(), 0, &stream); }));
  if (stream == nullptr) return wrong("stream_create returned TENON_OK and no stream", "a stream");
  return OwnedStream(stream, call_.stream_destroy);
}

sought<OwnedEvent> Lane::make_event() const {
  tenon_event* event = nullptr;
  TENON_HOLDS(succeeds("event_create", [&] { return call_.event_create(device(), 0, &event); }));
  if (event == nullptr) return wrong("event_create returned TENON_OK and no event", "an event");
  return OwnedEvent(event, call_.event_destroy);
}

std::uint64_t Lane::alignment_bytes() const { return facts_.alignment_bytes(); }

std::uint64_t Lane::offset_bytes() const { return std::min<std::uint64_t>(word_bytes, facts_.offset_alignment_bytes); }

sought<Memory> Lane::allocate(std::uint64_t bytes) const {
  tenon_memory memory{};
  memory.size = sizeof memory;
  TENON_HOLDS(succeeds("memory_alloc of " + std::to_string(bytes) + " bytes", [&] {
    return call_.memory_alloc(device(), bytes, alignment_bytes(), TENON_MEMORY_DEVICE, &memory);
  }));
  if (memory.memory == 0)
    return wrong("memory_alloc of " + std::to_string(bytes) + " bytes gave the handle 0", "a handle, never 0");
  return Memory(call_, device(), memory);
}

Verdict Lane::synchronize() const {
  return succeeds("stream_synchronize", [&] { return call_.stream_synchronize(stream(), TENON_FOREVER); });
}

Verdict Lane::write(tenon_ref to, std::span<const std::byte> from) const {
  TENON_HOLDS(succeeds("copy_in", [&] { return call_.copy_in(stream(), to, from.data(), from.size()); }));
  return synchronize();
}

sought<Bytes> Lane::read(tenon_ref from, std::size_t bytes) const {
  Bytes to(bytes, std::byte{0x5a});
  TENON_HOLDS(succeeds("copy_out", [&] { return call_.copy_out(stream(), to.data(), from, bytes); }));
  TENON_HOLDS(synchronize());
  return to;
}

Verdict Lane::copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) const {
  TENON_HOLDS(succeeds("copy", [&] { return call_.copy(stream(), to, from, bytes); }));
  return synchronize();
}

Verdict Lane::fill(tenon_ref to, std::span<const std::byte> pattern, std::uint64_t bytes) const {
  TENON_HOLDS(succeeds("fill", [&] {
    return call_.fill(stream(), to, pattern.data(), static_cast<std::uint32_t>(pattern.size()), bytes);
  }));
  return synchronize();
}

}  // namespace tenon::check
