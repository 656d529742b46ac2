// device.h: one open device: its memory, its streams, its settings; and the table of what the host may ask of it.
//
// Owned by the host between open and close. Threads: any.
#pragma once
#include "memory.h"
#include "roster.h"
#include "stream.h"
#include "tenon/plugin.hpp"

namespace acme {

/// What the fast kernels do with the bits that a bfloat16 lacks: `--option vendor.rounding=...`.
enum class Rounding { nearest, toward_zero };

class Device {
 public:
  static constexpr std::uint64_t memory_bytes = std::uint64_t{1} << 30;

  Device(Roster<Device>& open_devices, Rounding chosen) : rounding(chosen), open_devices_(open_devices) {
    open_devices_.add(*this);
  }
  ~Device() { open_devices_.remove(*this); }
  Device(const Device&) = delete;
  Device& operator=(const Device&) = delete;

  // Slots of the table.
  void memory_alloc(std::uint64_t bytes, std::uint64_t alignment, std::uint32_t kind, tenon_memory* memory);
  void memory_free(std::uint64_t memory) { memory_.free(memory); }
  void memory_info(std::uint64_t* free_bytes, std::uint64_t* total_bytes) const;
  void memory_trim() {}  // nothing is kept that could be given back
  void stream_create(std::uint32_t flags, tenon_stream** stream);
  void event_create(std::uint32_t flags, tenon_event** event);

  /// Returns when all work of all streams is done.
  void drain();

  const Rounding rounding;

 private:
  Roster<Device>& open_devices_;
  Memory memory_{memory_bytes};
  Roster<Stream> streams_;
};

extern const tenon_devices device_table;

}  // namespace acme
