// stream.h: work in order on the device, and what the host asks of it.
//
// An error of the work is the driver's: it stays in the context and comes with the next call that looks. Owned by the
// host between stream_create and stream_destroy. Threads: one caller at a time.
#pragma once
#include "device.h"
#include "staging.h"

namespace tenon::gpu {

class Stream {
 public:
  Stream(Device& device, Roster<Stream>& streams);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // Slots of the table in table.cpp.
  void copy(tenon_ref to, tenon_ref from, std::uint64_t bytes);
  void copy_in(tenon_ref to, const void* from, std::uint64_t bytes);
  void copy_out(void* to, tenon_ref from, std::uint64_t bytes);
  void fill(tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes);
  void wait(tenon_event* event);
  std::int32_t synchronize(std::uint64_t timeout_ns);

  /// Between places of the device; the context must be current.
  void copy(Address to, Address from, std::uint64_t bytes) const;
  /// One launch of blocks of block_threads threads; the context must be current.
  Status launch(Function function, std::uint32_t blocks, void** parameters) const {
    return device_.driver().launch(function, blocks, 1, 1, threads, 1, 1, 0, native_, parameters, nullptr);
  }
  Device& device() const { return device_; }
  NativeStream native() const { return native_; }

  /// What a library beside the driver keeps for this stream; null if it has nothing here.
  StreamAttachment* attachment() const { return attachment_.get(); }
  void attach(std::unique_ptr<StreamAttachment> attachment) { attachment_ = std::move(attachment); }

 private:
  static constexpr std::uint32_t threads = 256;  // block_threads of the kernels

  static NativeStream create(const Device& device);
  void settle(Status status) const;

  Device& device_;
  Roster<Stream>& streams_;
  NativeStream native_;
  Staging staging_;
  std::unique_ptr<StreamAttachment> attachment_;
};

}  // namespace tenon::gpu
