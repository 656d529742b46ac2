// device.h: one open device: its context, memory, code, and the slots of the table that concern it.
//
// Owned by the host between open and close. A memory handle is the address on the device, so a reference becomes an
// argument by one addition. Threads: any, but close.
#pragma once
#include <map>
#include <mutex>

#include "attachment.h"
#include "driver.h"
#include "images.h"
#include "roster.h"
#include "tenon/plugin.hpp"

namespace tenon::gpu {

class Stream;

/// Where a reference points on the device.
inline Address address_of(tenon_ref ref) { return ref.memory + ref.offset_bytes; }

class Device {
 public:
  Device(const Driver& driver, int ordinal, std::uint64_t cookie, Roster<Device>& open_devices);
  ~Device();
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Slots of the table in table.cpp.
  void memory_alloc(std::uint64_t bytes, std::uint64_t alignment, std::uint32_t kind, tenon_memory* memory);
  void memory_free(std::uint64_t memory);
  void memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) const;
  void memory_trim();
  void stream_create(std::uint32_t flags, tenon_stream** stream);
  void event_create(std::uint32_t flags, tenon_event** event);

  const Driver& driver() const { return driver_; }
  /// Makes the device's context that of the calling thread, which every call of the driver needs.
  void make_current() const { check(driver_.context_set(context_), "context_set"); }
  /// The same where something ends: if it cannot be set, the calls that follow say so to nobody.
  void enter() const noexcept { static_cast<void>(driver_.context_set(context_)); }
  unsigned multiprocessors() const { return multiprocessors_; }
  /// Why strict kernels are refused on this device; empty if they are not (battery.h).
  const std::string& strict_failure() const { return strict_failure_; }
  /// A kernel by its name; its family's code is loaded when it is first asked for.
  Function function(std::string_view family, const std::string& name);

  /// What a library beside the driver keeps here: the first call makes it, and has every stream join, those to come
  /// too.
  Attachment& attachment(std::unique_ptr<Attachment> (*make)(Device&));
  /// Has a new stream join, if there is something to join.
  void attach(Stream& stream);

  /// "cuda:1"
  std::string name() const;
  /// "sm_90"
  std::string architecture() const;

  /// Returns when all work of all streams is done, however it went.
  void drain() noexcept;

  /// Throws what a status other than success stands for; the host hears of a device that is lost.
  void check(Status status, const char* doing) const {
    if (status != success) fail(status, doing);
  }
  [[noreturn]] void fail(Status status, const char* doing) const;

 private:
  /// Memory that is not simply what the driver's allocator gave: on the host, or moved up to an alignment.
  struct Odd {
    Address base;
    bool on_host;
  };
  void release() noexcept;
  Address take(std::uint64_t bytes);
  Address take_on_host(std::uint64_t bytes);
  Status give_back(const Odd& given) const;
  void remember(Address address, const Odd& given);
  [[noreturn]] void fail_out_of_memory(std::uint64_t bytes) const;
  Module module(const Image& image);

  const Driver& driver_;
  const int device_;
  const std::uint64_t cookie_;
  Roster<Device>& open_devices_;
  Context context_ = nullptr;
  NativeStream allocations_ = nullptr;  // orders what the pool hands out; nothing else runs there
  Pool pool_ = nullptr;                 // null: this device has none
  unsigned multiprocessors_ = 1;
  std::string strict_failure_;
  Roster<Stream> streams_;
  std::mutex attachment_mutex_;  // of what follows, and of joining; taken before the roster's
  std::unique_ptr<Attachment> attachment_;
  std::mutex mutex_;  // of all below
  std::map<Address, Odd> odd_;
  std::map<const Image*, Module> modules_;
};

}  // namespace tenon::gpu
