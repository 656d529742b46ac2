// flushing.h: while one lives, this thread's binary32 and binary64 arithmetic flushes: a subnormal operand is 0, and so
// is a result that would be subnormal. Apple's devices do the former in binary32; kernels are run so.
//
// Belongs to the thread that made it.
#pragma once

#if defined(__SSE__)
#include <immintrin.h>
#endif

namespace gpusim::msl {

class Flushing {
 public:
#if defined(__SSE__)
  explicit Flushing(bool on = true) : before_(_mm_getcsr()) {
    if (on) _mm_setcsr(before_ | flush_to_zero | denormals_are_zero);
  }
  ~Flushing() { _mm_setcsr(before_); }

 private:
  static constexpr unsigned flush_to_zero = 0x8000, denormals_are_zero = 0x0040;
  unsigned before_;
#else
  explicit Flushing(bool = true) {}  // no such mode is known for this processor
#endif

 public:
  Flushing(const Flushing&) = delete;
  Flushing& operator=(const Flushing&) = delete;
};

}  // namespace gpusim::msl
