// Elementwise functions by the compiler's own mathematics: no binary64, off by a last place or two. For modes that ask
// for no strict bits.
#include <cmath>

#include "map.h"
#include "tenon/strict/order.h"

namespace tenon::gpu {
namespace {

TENON_DEVICE float fast_exp(float x) { return std::exp(x); }
TENON_DEVICE float fast_log(float x) { return std::log(x); }
TENON_DEVICE float fast_sin(float x) { return std::sin(x); }
TENON_DEVICE float fast_cos(float x) { return std::cos(x); }
TENON_DEVICE float fast_tanh(float x) { return std::tanh(x); }
TENON_DEVICE float fast_erf(float x) { return std::erf(x); }
TENON_DEVICE float fast_sigmoid(float x) { return 1 / (1 + std::exp(-x)); }
TENON_DEVICE float fast_softplus(float x) { return (x > 0 ? x : 0.0f) + std::log1p(std::exp(-std::fabs(x))); }

/// By the complementary function, which keeps its digits below 0; -40 so that -infinity has its limit.
TENON_DEVICE float fast_gelu(float x) {
  constexpr float root_half = 0x1.6a09e6p-1f;
  const float z = strict::maximum(x, -40.0f);
  return 0.5f * z * std::erfc(-z * root_half);
}

TENON_DEVICE float fast_gelu_grad(float x, float upstream) {
  constexpr float root_half = 0x1.6a09e6p-1f, density_at_0 = 0x1.988454p-2f;  // 1 / sqrt(2), 1 / sqrt(2 pi)
  const float z = strict::maximum(strict::minimum(x, 40.0f), -40.0f);
  return upstream * (0.5f * std::erfc(-z * root_half) + z * (density_at_0 * std::exp(-0.5f * z * z)));
}
TENON_DEVICE float fast_erf_grad(float x, float upstream) {
  constexpr float slope_at_0 = 0x1.20dd76p0f;  // 2 / sqrt(pi)
  return upstream * (slope_at_0 * std::exp(-x * x));
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_FAST(name)                                                          \
  TENON_KERNEL(name##_fast_f32, std::uint64_t n, float* output, const float* x) { \
    map([](float value) { return fast_##name(value); }, n, output, x);            \
  }

TENON_FAST(exp)
TENON_FAST(log)
TENON_FAST(sin)
TENON_FAST(cos)
TENON_FAST(tanh)
TENON_FAST(erf)
TENON_FAST(sigmoid)
TENON_FAST(softplus)
TENON_FAST(gelu)

#define TENON_FAST_GRADIENT(name)                                                                        \
  TENON_KERNEL(name##_fast_f32, std::uint64_t n, float* output, const float* x, const float* upstream) { \
    map([](float value, float above) { return fast_##name(value, above); }, n, output, x, upstream);     \
  }

TENON_FAST_GRADIENT(gelu_grad)
TENON_FAST_GRADIENT(erf_grad)

TENON_KERNEL(safe_log_fast_f32, std::uint64_t n, float* output, const float* x, float epsilon) {
  map([=](float value) { return fast_log(fast_softplus(value) + epsilon); }, n, output, x);
}
