// staging.h: copies between the device and memory that the driver does not know. Pinned pieces lie between the two, so
// that a copy costs the caller a memcpy at most and the device goes on meanwhile.
//
// Owned by its stream, and used as that is: one caller at a time. The pieces are taken when they are first needed.
#pragma once
#include <array>
#include <cstddef>

#include "driver.h"
#include "tenon/plugin.h"

namespace tenon::gpu {

class Device;

class Staging {
 public:
  Staging(Device& device, NativeStream stream) : device_(device), stream_(stream) {}
  ~Staging();
  Staging(const Staging&) = delete;
  Staging& operator=(const Staging&) = delete;

  /// `from` may change when this returns.
  void copy_in(Address to, const std::byte* from, std::uint64_t bytes);
  /// `to` is written by the next event.
  void copy_out(std::byte* to, Address from, std::uint64_t bytes);

 private:
  static constexpr std::uint64_t piece_bytes = std::uint64_t{1} << 20;

  struct Piece {
    void* memory = nullptr;
    NativeEvent free = nullptr;  // comes when the last use is over
    bool used = false;
    std::byte* to = nullptr;  // of a copy out: where the bytes go in the end
    std::uint64_t bytes = 0;
  };
  static void deliver(NativeStream stream, Status status, void* piece);
  template <class Work>
  void as_a_whole(const Work& work);
  Piece& next();
  void release_after_use(Piece& piece);

  Device& device_;
  NativeStream stream_;
  std::array<Piece, 4> pieces_;
  std::size_t turn_ = 0;
};

}  // namespace tenon::gpu
