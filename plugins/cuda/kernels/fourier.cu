// fft_fno: the first Fourier modes of real channels, by the sum that defines them: its order is part of the result, so
// no fast transform gives these bits. A thread for each number that is computed; the turns stand in a table, since all
// sums need the same ones.
#include "divide.h"
#include "portable.h"
#include "tenon/numerics.h"

namespace tenon::gpu {
namespace {

/// Cosine and sine of r n-ths of a turn: those of the part beyond whole quarters, so that the quarters are exact.
template <class T>
TENON_DEVICE void turns(std::uint64_t points, T* cosines, T* sines) {
  constexpr double half_pi = 0x1.921fb54442d18p0;
  const std::uint64_t r = thread_number();
  if (r >= points) return;
  const double rest = static_cast<double>(4 * r % points) * half_pi / static_cast<double>(points);
  double c = strict::cos(rest), s = strict::sin(rest);
  for (std::uint64_t quarter = 4 * r / points; quarter != 0; --quarter) {
    const double turned = -s;
    s = c;
    c = turned;
  }
  cosines[r] = static_cast<T>(c);
  sines[r] = static_cast<T>(s);
}

/// Calls visit(i, i * step mod n) for i below count; step < n.
template <class Visit>
TENON_DEVICE void for_each_turn(std::uint64_t count, std::uint64_t step, std::uint64_t points, const Visit& visit) {
#pragma unroll 4
  for (std::uint64_t i = 0, r = 0; i < count; ++i) {
    visit(i, r);
    r += step;
    if (r >= points) r -= points;
  }
}

template <class T>
TENON_DEVICE void transform(const Spectrum& s, std::uint64_t rows, T* modes, const T* x, const T* cosines,
                            const T* sines) {
  const Division place = divide(thread_number(), s.modes);
  const std::uint64_t row = place.quotient, k = place.rest;
  if (row >= rows) return;
  const T* from = x + row * s.points;
  T re = 0, im = 0;
  for_each_turn(s.points, k, s.points, [&](std::uint64_t j, std::uint64_t r) {
    re = re + from[j] * cosines[r];
    im = im - from[j] * sines[r];
  });
  modes[row * s.width() + k] = re;
  modes[row * s.width() + s.modes + k] = im;
}

/// For each mode of an output channel the sum over the input channels. Neighbouring threads have neighbouring channels,
/// whose weights are neighbours.
template <class T>
TENON_DEVICE void mix(const Spectrum& s, T* to, const T* from, const T* w_re, const T* w_im) {
  const Division of_mode = divide(thread_number(), s.outputs), of_sample = divide(of_mode.quotient, s.modes);
  const std::uint64_t o = of_mode.rest, k = of_sample.rest, sample = of_sample.quotient;
  if (sample >= s.samples) return;
  const T* modes = from + sample * s.inputs * s.width();
  T re = 0, im = 0;
  for (std::uint64_t c = 0; c < s.inputs; ++c) {
    const std::uint64_t weight = (k * s.inputs + c) * s.outputs + o;
    const T x_re = modes[c * s.width() + k], x_im = modes[c * s.width() + s.modes + k];
    re = re + (x_re * w_re[weight] - x_im * w_im[weight]);
    im = im + (x_re * w_im[weight] + x_im * w_re[weight]);
  }
  const std::uint64_t row = sample * s.outputs + o;
  to[row * s.width() + k] = re;
  to[row * s.width() + s.modes + k] = im;
}

template <class T>
TENON_DEVICE void restore(const Spectrum& s, T* output, const T* modes, const T* cosines, const T* sines) {
  const std::uint64_t i = thread_number();
  const Division place = divide(i, s.points);
  const std::uint64_t row = place.quotient, j = place.rest;
  if (row >= s.samples * s.outputs) return;
  const T *re = modes + row * s.width(), *im = re + s.modes;
  T sum = 0;
  for_each_turn(s.modes, j, s.points, [&](std::uint64_t k, std::uint64_t r) {
    sum = sum + s.multiplicity<T>(k) * (re[k] * cosines[r] - im[k] * sines[r]);
  });
  output[i] = sum / s.divisor<T>();
}

/// One weight, over the samples; x and upstream are their modes.
template <class T>
TENON_DEVICE void weight_gradient(const Spectrum& s, T* output, const T* x, const T* upstream) {
  const std::uint64_t weight = thread_number(), weights = s.modes * s.inputs * s.outputs;
  if (weight >= weights) return;
  const Division of_input = divide(weight, s.outputs), of_mode = divide(of_input.quotient, s.inputs);
  const std::uint64_t o = of_input.rest, c = of_mode.rest, k = of_mode.quotient;
  T re = 0, im = 0;
  for (std::uint64_t sample = 0; sample < s.samples; ++sample) {
    const T* from = x + (sample * s.inputs + c) * s.width() + k;
    const T* above = upstream + (sample * s.outputs + o) * s.width() + k;
    re = re + (above[0] * from[0] + above[s.modes] * from[s.modes]);
    im = im + (above[s.modes] * from[0] - above[0] * from[s.modes]);
  }
  const T times = s.multiplicity<T>(k), divisor = s.divisor<T>();
  output[weight] = times * re / divisor;
  output[weights + weight] = times * im / divisor;
}

}  // namespace
}  // namespace tenon::gpu

using namespace tenon::gpu;

#define TENON_FOURIER(T, suffix)                                                                                      \
  TENON_KERNEL(fourier_turns_##suffix, std::uint64_t points, T* cosines, T* sines) { turns(points, cosines, sines); } \
  TENON_KERNEL(fourier_transform_##suffix, Spectrum spectrum, std::uint64_t rows, T* modes, const T* x,               \
               const T* cosines, const T* sines) {                                                                    \
    transform(spectrum, rows, modes, x, cosines, sines);                                                              \
  }                                                                                                                   \
  TENON_KERNEL(fourier_mix_##suffix, Spectrum spectrum, T* to, const T* from, const T* w_re, const T* w_im) {         \
    mix(spectrum, to, from, w_re, w_im);                                                                              \
  }                                                                                                                   \
  TENON_KERNEL(fourier_restore_##suffix, Spectrum spectrum, T* output, const T* modes, const T* cosines,              \
               const T* sines) {                                                                                      \
    restore(spectrum, output, modes, cosines, sines);                                                                 \
  }                                                                                                                   \
  TENON_KERNEL(fourier_weight_gradient_##suffix, Spectrum spectrum, T* output, const T* x, const T* upstream) {       \
    weight_gradient(spectrum, output, x, upstream);                                                                   \
  }

TENON_FOURIER(float, f32)
TENON_FOURIER(double, f64)
