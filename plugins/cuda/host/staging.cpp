#include "staging.h"

#include <cstring>

#include "device.h"

namespace tenon::gpu {
namespace {

constexpr std::uint32_t portable = 1;        // flag of pinned memory
constexpr std::uint32_t without_timing = 2;  // flag of an event

}  // namespace

Staging::~Staging() {
  const Driver& driver = device_.driver();
  for (const Piece& piece : pieces_) {
    if (piece.free != nullptr) static_cast<void>(driver.event_destroy(piece.free));
    if (piece.memory != nullptr) static_cast<void>(driver.host_free(piece.memory));
  }
}

Staging::Piece& Staging::next() {
  const Driver& driver = device_.driver();
  Piece& piece = pieces_[turn_++ % pieces_.size()];
  if (piece.memory == nullptr) device_.check(driver.host_alloc(&piece.memory, piece_bytes, portable), "host_alloc");
  if (piece.free == nullptr) device_.check(driver.event_create(&piece.free, without_timing), "event_create");
  if (std::exchange(piece.used, false)) device_.check(driver.event_synchronize(piece.free), "event_synchronize");
  return piece;
}

void Staging::release_after_use(Piece& piece) {
  device_.check(device_.driver().event_record(piece.free, stream_), "event_record");
  piece.used = true;
}

// Nobody waits for a copy that has failed, so what is queued of it is over when its error is told: its end of the
// host's memory is the caller's again, and its pieces are free.
template <class Work>
void Staging::as_a_whole(const Work& work) {
  try {
    work();
  } catch (...) {
    static_cast<void>(device_.driver().stream_synchronize(stream_));
    throw;
  }
}

void Staging::copy_in(Address to, const std::byte* from, std::uint64_t bytes) {
  as_a_whole([&] {
    for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
      const std::uint64_t part = std::min(piece_bytes, bytes - done);
      Piece& piece = next();
      std::memcpy(piece.memory, from + done, part);
      device_.check(device_.driver().copy_in(to + done, piece.memory, part, stream_), "copy_in");
      release_after_use(piece);
    }
  });
}

// On a thread of the driver's, which may call nothing of the driver. After a failure there is nothing to deliver;
// whoever waits hears of it.
void Staging::deliver(NativeStream, Status status, void* pointer) {
  const Piece& piece = *static_cast<const Piece*>(pointer);
  if (status == success) std::memcpy(piece.to, piece.memory, piece.bytes);
}

void Staging::copy_out(std::byte* to, Address from, std::uint64_t bytes) {
  const Driver& driver = device_.driver();
  as_a_whole([&] {
    for (std::uint64_t done = 0; done < bytes; done += piece_bytes) {
      Piece& piece = next();
      piece.to = to + done;
      piece.bytes = std::min(piece_bytes, bytes - done);
      device_.check(driver.copy_out(piece.memory, from + done, piece.bytes, stream_), "copy_out");
      device_.check(driver.add_callback(stream_, deliver, &piece, 0), "copy_out");
      release_after_use(piece);
    }
  });
}

}  // namespace tenon::gpu
