// Sources: tensors from nothing. A draw is a function of its key and the element's index alone.
#include "pack.h"
#include "shapes.h"
#include "tenon/random.h"

namespace tenon::gpu {
namespace {

template <class T, class Rule>
TENON_DEVICE void draw(std::uint64_t n, T* output, const Rule& rule) {
  for_my_pack<T>(
      n,
      [&](std::uint64_t pack) {
        Pack<T> values;
#pragma unroll
        for (unsigned i = 0; i < Pack<T>::width; ++i) values.at[i] = rule(pack * Pack<T>::width + i);
        store_pack(output, pack, values);
      },
      [&](std::uint64_t i) { output[i] = rule(i); });
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_SOURCES(T, suffix)                                                                                     \
  TENON_KERNEL(fill_##suffix, std::uint64_t n, T* output, T value) {                                                 \
    draw(n, output, [=](std::uint64_t) { return value; });                                                           \
  }                                                                                                                  \
  TENON_KERNEL(rand_uniform_##suffix, std::uint64_t n, T* output, std::uint64_t key) {                               \
    draw(n, output, [=](std::uint64_t i) { return tenon::random::uniform<T>(0, 1, key, i); });                       \
  }                                                                                                                  \
  TENON_KERNEL(bernoulli_mask_##suffix, std::uint64_t n, T* output, std::uint64_t key, double keep) {                \
    draw(n, output, [=](std::uint64_t i) { return tenon::random::bernoulli<T>(keep, key, i); });                     \
  }                                                                                                                  \
  TENON_KERNEL(init_uniform_##suffix, std::uint64_t n, T* output, std::uint64_t key, double low, double high) {      \
    draw(n, output, [=](std::uint64_t i) { return tenon::random::uniform<T>(low, high, key, i); });                  \
  }                                                                                                                  \
  TENON_KERNEL(init_normal_##suffix, std::uint64_t n, T* output, std::uint64_t key, double mean, double deviation) { \
    draw(n, output, [=](std::uint64_t i) { return tenon::random::normal<T>(mean, deviation, key, i); });             \
  }

TENON_SOURCES(float, f32)
TENON_SOURCES(double, f64)

/// What a stream's fill does where the driver has no memset of that width.
TENON_KERNEL(fill_pattern, std::uint64_t bytes, unsigned char* output, Pattern pattern, std::uint32_t width) {
  const std::uint64_t i = thread_number();
  if (i < bytes) output[i] = pattern.bytes[i % width];
}
