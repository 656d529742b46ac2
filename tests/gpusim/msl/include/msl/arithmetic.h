// arithmetic.h: the device's arithmetic while a kernel runs. It flushes, as Apple's devices do: a subnormal operand is
// 0, and so is a result that would be subnormal. A library compiled with MSL_GRADUAL keeps them.
//
// The mode is the processor's, so it is left wherever a kernel gives way to another thread or to the simulator. Where a
// launch breaks off it is not: whoever computes after that puts it back (HostsArithmetic).
#pragma once

#if defined(__SSE__) && !defined(MSL_GRADUAL)
#include <immintrin.h>
#define MSL_FLUSHES 1
#else
#define MSL_FLUSHES 0  // no such mode is known for this processor, or none is wanted
#endif

namespace msl {

#if MSL_FLUSHES
inline constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;

inline void enter_device() { _mm_setcsr(_mm_getcsr() | flush_to_zero | denormals_are_zero); }
inline void leave_device() { _mm_setcsr(_mm_getcsr() & ~(flush_to_zero | denormals_are_zero)); }
#else
inline void enter_device() {}
inline void leave_device() {}
#endif

/// For the time of a kernel.
struct OnDevice {
  OnDevice() { enter_device(); }
  ~OnDevice() { leave_device(); }
  OnDevice(const OnDevice&) = delete;
  OnDevice& operator=(const OnDevice&) = delete;
};
/// The host's again at the end, whatever a launch did.
struct HostsArithmetic {
  HostsArithmetic() = default;
  ~HostsArithmetic() { leave_device(); }
  HostsArithmetic(const HostsArithmetic&) = delete;
  HostsArithmetic& operator=(const HostsArithmetic&) = delete;
};
/// For the time of a call that may give way.
struct OffDevice {
  OffDevice() { leave_device(); }
  ~OffDevice() { enter_device(); }
  OffDevice(const OffDevice&) = delete;
  OffDevice& operator=(const OffDevice&) = delete;
};

}  // namespace msl
