// device.h: a GPU that is open: its memory, its pipelines, its streams.
//
// Owned by the host from open() to close(); streams, events and buffers of it are destroyed before. Threads: any.
#pragma once
#include <map>
#include <mutex>
#include <string>

#include "gpus.h"
#include "memory.h"
#include "pipelines.h"

namespace tenon::metal {

class Metal;
class Stream;

/// What the device knows of its arithmetic: words of the strict battery's first failure; empty where it passed.
struct StrictFailure {
  std::string words;
};

class Device {
 public:
  Device(const Gpu& gpu, std::uint64_t cookie);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  const Gpu& gpu() const { return gpu_; }
  const Object& object() const { return gpu_.device; }
  Memory& memory() { return memory_; }
  Pipelines& pipelines() { return pipelines_; }
  /// Stands where a tensor has no elements.
  const Buffer& nothing() const { return *nothing_; }

  StrictFailure strict_failure;
  Metal* owner = nullptr;  // to which close() gives it back

  void add(Stream& stream);
  void remove(Stream& stream);
  /// Submits and finishes everything.
  void drain();

  /// The device is gone, and the host hears of it.
  void lose(const char* words);
  void refuse_if_lost(std::string_view doing) const;

 private:
  const Gpu& gpu_;
  const std::uint64_t cookie_;
  Memory memory_;
  Pipelines pipelines_;
  Buffer* nothing_;
  std::atomic<bool> lost_{false};
  std::mutex streams_mutex_;
  std::vector<Stream*> streams_;
};

}  // namespace tenon::metal
