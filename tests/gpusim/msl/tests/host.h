// host.h: arrays of numbers for kernels' tests, and what the host makes of them.
#pragma once
#include <algorithm>
#include <cmath>
#include <random>
#include <vector>

#include "plugins/metal/kernels/constants.h"
#include "run.h"
#include "tenon/numerics.h"

namespace gpusim::msl {

using Floats = std::vector<float>;

enum class Range : std::uint8_t {
  ordinary,  // between -4 and 4
  tiny,      // subnormals and their neighbours among ordinary ones
  wild       // and infinities, NaNs and zeros of both signs
};

inline Floats drawn(std::size_t count, Range range, unsigned seed) {
  std::mt19937 engine(seed);
  Floats x(count);
  for (float& element : x) {
    const auto draw = std::uint32_t(engine());
    element = float(int(draw >> 8) - (1 << 23)) * 0x1p-21f;
    if (range == Range::ordinary) continue;
    if (draw % 4 == 0) element *= 0x1p-126f;
    if (draw % 4 == 1) element *= 0x1p-64f;
    if (draw % 16 == 2) element = 0;
    if (range == Range::wild && draw % 64 == 3) element = draw & 64 ? INFINITY : -INFINITY;
    if (range == Range::wild && draw % 256 == 7) element = NAN;
    if (range == Range::wild && draw % 16 == 6) element = -0.0f;
  }
  return x;
}

/// One kernel on arrays of floats; the last array is the result.
class Kernel {
 public:
  Kernel(Library& library, Way way, std::string name) : runner_(library, way), name_(std::move(name)) {}

  template <class T>
  Kernel& reads(const std::vector<T>& x) {
    arrays_.push_back(runner_.of(x));
    return *this;
  }
  Kernel& writes(std::size_t count) {
    arrays_.push_back(result_ = runner_.unwritten<float>(count));
    count_ = count;
    return *this;
  }
  /// Reads it first.
  Kernel& changes(const Floats& x) {
    reads(x);
    result_ = static_cast<float*>(arrays_.back());
    count_ = x.size();
    return *this;
  }
  template <class Constants>
  void run(Extent grid, unsigned threads, const Constants& constants) {
    runner_.run(name_, grid, threads, arrays_, constants);
    EXPECT_EQ(runner_.faults(), std::vector<std::string>()) << name_;
  }
  Floats result() { return runner_.read(result_, count_); }

 private:
  Runner runner_;
  std::string name_;
  std::vector<void*> arrays_;
  float* result_ = nullptr;
  std::size_t count_ = 0;
};

inline void expect_bits(const Floats& found, const Floats& expected, const std::string& what) {
  expect_same(cast<std::uint32_t>(found), cast<std::uint32_t>(expected), what);
}

/// A test of a kernel is run with every access looked at, in SIMD-groups of several widths.
inline std::vector<Way> ways() {
  return {{8, Schedule::random, 1}, {32, Schedule::descending, 1}, {64, Schedule::ascending, 1}};
}

}  // namespace gpusim::msl
