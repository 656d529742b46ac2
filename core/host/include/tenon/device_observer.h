// device_observer.h: who is told of a device's copies and allocations while a run is watched.
//
// Given to Device::observe by its owner, who takes it away before it goes. Called on the thread that copies or
// allocates: one at a time. A device that nobody observes pays one comparison for each copy and allocation.
#pragma once
#include <cstdint>

namespace tenon {

/// Into the device's memory, out of it, or from one place in it to another.
enum class CopyKind : std::uint8_t { in, out, within };

class DeviceObserver {
 public:
  virtual ~DeviceObserver() = default;
  virtual void copying(CopyKind kind, std::uint64_t bytes) = 0;
  virtual void copied() = 0;  // the copy that was announced last: it is done, or has failed
  virtual void allocated(std::uint64_t bytes) = 0;
  virtual void freed(std::uint64_t bytes) = 0;
};

}  // namespace tenon
