// The other families against loops on the host: layout, planes, pooling, sequences, Fourier modes, sources and the
// battery. Every access looked at.
#include "host.h"
#include "tenon/random.h"

namespace gpusim::msl {
namespace {

namespace strict = tenon::strict;
using namespace tenon_metal;
using Numbers = std::vector<std::uint32_t>;

constexpr Extent few{2, 1, 1};
constexpr unsigned threads = 8;

/// Runs it in all ways and compares.
template <class Constants, class... Arrays>
void check(const std::string& name, const Constants& constants, const Floats& expected, const Arrays&... arrays) {
  for (const Way& way : ways()) {
    Kernel kernel(checked(), way, name);
    (kernel.reads(arrays), ...);
    kernel.writes(expected.size()).run(few, threads, constants);
    expect_bits(kernel.result(), expected, name);
  }
}

// -- layout and planes --------------------------------------------------------------------------------------

TEST(MetalLayout, RearrangesByStrides) {
  const Floats x = drawn(24, Range::wild, 51);
  Rearrange shape{};
  const unsigned extents[] = {4, 2, 3}, strides[] = {1, 12, 4};
  std::copy(extents, extents + 3, shape.extents);
  std::copy(strides, strides + 3, shape.strides);
  shape.axes = 3;
  shape.count = 24;
  Floats expected;
  for (unsigned a = 0; a < 4; ++a)
    for (unsigned b = 0; b < 2; ++b)
      for (unsigned c = 0; c < 3; ++c) expected.push_back(x[a + 12 * b + 4 * c]);
  check("layout_rearrange", shape, expected, x);
}

TEST(MetalLayout, JoinsAndCuts) {
  const Floats left = drawn(12, Range::wild, 52),
               right = drawn(20, Range::wild, 53);  // blocks of 3 and 5, four of each
  Floats joined, cut;
  for (unsigned block = 0; block < 4; ++block) {
    joined.insert(joined.end(), left.begin() + block * 3, left.begin() + block * 3 + 3);
    joined.insert(joined.end(), right.begin() + block * 5, right.begin() + block * 5 + 5);
    cut.insert(cut.end(), right.begin() + block * 5 + 1, right.begin() + block * 5 + 4);
  }
  check("layout_concat", Concat{32, 3, 5}, joined, left, right);
  check("layout_slice", Slice{12, 3, 5, 1}, cut, right);
}

TEST(MetalLayout, GathersAndScatters) {
  constexpr unsigned outer = 2, extent = 4, inner = 3;
  const Numbers indices = {3, 0, 3, 1, 3};
  const auto picks = unsigned(indices.size());
  const Floats x = drawn(outer * extent * inner, Range::tiny, 54),
               values = drawn(outer * picks * inner, Range::tiny, 55);
  Floats gathered, scattered = x;
  for (unsigned block = 0; block < outer; ++block) {
    for (unsigned n = 0; n < picks; ++n) {
      for (unsigned i = 0; i < inner; ++i) {
        const unsigned at = (block * extent + indices[n]) * inner + i;
        gathered.push_back(x[at]);
        scattered[at] = scattered[at] + values[(block * picks + n) * inner + i];
      }
    }
  }
  check("layout_gather", Indexed{outer * picks * inner, picks, extent, inner}, gathered, x, indices);
  for (const Way& way : ways()) {
    Kernel kernel(checked(), way, "layout_scatter_add");
    kernel.reads(values).reads(indices).changes(x).run(few, threads, Indexed{outer * inner, picks, extent, inner});
    expect_bits(kernel.result(), scattered, "layout_scatter_add");
  }
}

TEST(MetalPlanes, BatchNorm) {
  constexpr unsigned channels = 3, plane = 7, count = 2 * channels * plane;
  const Floats x = drawn(count, Range::wild, 56), mean = drawn(channels, Range::tiny, 57);
  const Floats weight = drawn(channels, Range::tiny, 58), bias = drawn(channels, Range::tiny, 59),
               variance = {0, 2.5f, 1e-40f};
  Floats expected;
  for (unsigned i = 0; i < count; ++i) {
    const unsigned c = i / plane % channels;
    expected.push_back((x[i] - mean[c]) / std::sqrt(variance[c] + 1e-5f) * weight[c] + bias[c]);
  }
  check("planes_batch_norm", Planes{count, channels, plane, 1e-5f}, expected, x, mean, variance, weight, bias);
}

// -- pooling ------------------------------------------------------------------------------------------------

/// Planes of 5 by 6, windows of 3 by 2, strides 2 and 1, padding 1 and 1.
struct Pool {
  static constexpr int in_y = 5, in_x = 6, window_y = 3, window_x = 2, out_y = 3, out_x = 7, planes = 2;
  static constexpr unsigned inputs = planes * in_y * in_x, outputs = planes * out_y * out_x;
  Range range;
  Floats x = drawn(inputs, range, 61), upstream = drawn(outputs, range, 62);

  static Pooling constants(unsigned count, float parameter) {
    Pooling p{{1, 1, in_y, in_x},
              {1, 1, window_y, window_x},
              {1, 1, out_y, out_x},
              {1, 1, 2, 1},
              {0, 0, 1, 1},
              {1, 1, 1, 1},
              count,
              parameter};
    return p;
  }
  /// Of a window's taps in order: the element's number, or -1 in the padding.
  static std::vector<int> taps(unsigned window) {
    const int x = int(window) % out_x, y = int(window) / out_x % out_y, plane = int(window) / (out_x * out_y);
    std::vector<int> out;
    for (int ky = 0; ky < window_y; ++ky) {
      for (int kx = 0; kx < window_x; ++kx) {
        const int at_y = y * 2 + ky - 1, at_x = x + kx - 1;
        const bool inside = at_y >= 0 && at_y < in_y && at_x >= 0 && at_x < in_x;
        out.push_back(inside ? (plane * in_y + at_y) * in_x + at_x : -1);
      }
    }
    return out;
  }
};
class MetalPooling : public testing::TestWithParam<Range> {
 protected:
  Pool pool{GetParam()};
};

TEST_P(MetalPooling, Greatest) {
  Floats most, gradient(Pool::inputs, 0);
  Numbers winners;
  for (unsigned w = 0; w < Pool::outputs; ++w) {
    float greatest = -INFINITY;
    int winner = -1;
    for (const int at : Pool::taps(w)) {
      if (at < 0) continue;
      const float value = pool.x[unsigned(at)];
      greatest = strict::maximum(greatest, value);
      const float best = winner < 0 ? 0 : pool.x[unsigned(winner)];
      if (winner < 0 || value > best || (std::isnan(value) && !std::isnan(best))) winner = at;
    }
    most.push_back(greatest);
    winners.push_back(std::uint32_t(winner) % (Pool::in_x * Pool::in_y));
    gradient[unsigned(winner)] = gradient[unsigned(winner)] + pool.upstream[w];
  }
  check("pooling_max", Pool::constants(Pool::outputs, 0), most, pool.x);
  check("pooling_winners", Pool::constants(Pool::outputs, 0), cast<float>(winners), pool.x);
  check("pooling_max_grad", Pool::constants(Pool::inputs, 0), gradient, winners, pool.upstream);
}

TEST_P(MetalPooling, Averages) {
  Floats average, gradient(Pool::inputs, 0);
  for (unsigned w = 0; w < Pool::outputs; ++w) {
    float sum = 0;
    for (const int at : Pool::taps(w)) {
      if (at < 0) continue;
      sum = sum + pool.x[unsigned(at)];
      gradient[unsigned(at)] = gradient[unsigned(at)] + pool.upstream[w] / 6;
    }
    average.push_back(sum / 6);
  }
  check("pooling_avg", Pool::constants(Pool::outputs, 6), average, pool.x);
  check("pooling_avg_grad", Pool::constants(Pool::inputs, 6), gradient, pool.upstream);
}

TEST_P(MetalPooling, SmoothMaximum) {
  for (const float beta : {1.5f, -2.0f}) {
    Floats smooth, peaks, sums, gradient(Pool::inputs, 0);
    for (unsigned w = 0; w < Pool::outputs; ++w) {
      float peak = beta > 0 ? -INFINITY : INFINITY, sum = 0;
      for (const int at : Pool::taps(w)) {
        const float value = at < 0 ? 0 : pool.x[unsigned(at)];
        peak = beta > 0 ? strict::maximum(peak, value) : strict::minimum(peak, value);
      }
      for (const int at : Pool::taps(w)) sum = sum + strict::exp(beta * ((at < 0 ? 0 : pool.x[unsigned(at)]) - peak));
      for (const int at : Pool::taps(w)) {
        if (at < 0) continue;
        float& g = gradient[unsigned(at)];
        g = g + pool.upstream[w] * (strict::exp(beta * (pool.x[unsigned(at)] - peak)) / sum);
      }
      peaks.push_back(peak);
      sums.push_back(sum);
      smooth.push_back(peak + strict::log(sum) / beta);
    }
    check("pooling_smooth", Pool::constants(Pool::outputs, beta), smooth, pool.x);
    check("pooling_smooth_grad", Pool::constants(Pool::inputs, beta), gradient, pool.x, pool.upstream, peaks, sums);
    Kernel kernel(checked(), {}, "pooling_peaks");
    kernel.reads(pool.x)
        .writes(Pool::outputs)
        .writes(Pool::outputs)
        .run(few, threads, Pool::constants(Pool::outputs, beta));
    expect_bits(kernel.result(), sums, "pooling_peaks");
  }
}
INSTANTIATE_TEST_SUITE_P(Of, MetalPooling, testing::Values(Range::ordinary, Range::tiny, Range::wild));

// -- sequences and Fourier modes ----------------------------------------------------------------------------

TEST(MetalSequences, ScanForwardsAndBack) {
  constexpr unsigned count = 11, steps = 5;
  const Floats a = drawn(count * steps, Range::tiny, 71), b = drawn(count * steps, Range::tiny, 72);
  const Floats x = drawn(count * steps, Range::tiny, 73), h0 = drawn(count, Range::tiny, 74);
  Floats forward(count * steps), back(count * steps);
  for (unsigned i = 0; i < count; ++i) {
    float h = h0[i], g = 0;
    for (unsigned t = 0; t < steps; ++t)
      forward[t * count + i] = h = a[t * count + i] * h + b[t * count + i] * x[t * count + i];
    for (unsigned t = steps; t-- > 0;) {
      g = t + 1 == steps ? x[t * count + i] : x[t * count + i] + a[(t + 1) * count + i] * g;
      back[t * count + i] = g;
    }
  }
  check("sequences_scan", Scan{count, steps}, forward, a, b, x, h0);
  check("sequences_scan_grad", Scan{count, steps}, back, a, x);
}

Floats turns_of(unsigned n) {
  Floats turns(2 * n);
  for (unsigned r = 0; r < n; ++r) {
    const std::uint64_t four = std::uint64_t{4} * r;
    const double rest = double(four % n) * 0x1.921fb54442d18p0 / double(n);
    double c = strict::cos(rest), s = strict::sin(rest);
    for (std::uint64_t q = four / n; q != 0; --q) {
      const double turned = -s;
      s = c;
      c = turned;
    }
    turns[r] = float(c);
    turns[n + r] = float(s);
  }
  return turns;
}
TEST(MetalFourier, TurnsAreThoseOfTheHost) {
  for (const unsigned n : {1u, 2u, 3u, 7u, 8u, 100u, 1000u, 4099u}) {
    Kernel kernel(plain(), {}, "fourier_turns");
    kernel.writes(2 * n).run(few, threads, Fourier{n, n, 0, 0, 0, 0});
    expect_bits(kernel.result(), turns_of(n), "turns of " + std::to_string(n));
  }
}

TEST(MetalFourier, ModesMixAndAreRestored) {
  constexpr unsigned points = 8, modes = 5, inputs = 2, outputs = 3, samples = 2;
  const Floats turns = turns_of(points), x = drawn(samples * inputs * points, Range::tiny, 75);
  const Floats w_re = drawn(modes * inputs * outputs, Range::tiny, 76), w_im = drawn(w_re.size(), Range::tiny, 77);
  const auto constants = [&](std::size_t count) {
    return Fourier{unsigned(count), points, modes, inputs, outputs, samples};
  };
  Floats from(samples * inputs * 2 * modes), to(samples * outputs * 2 * modes), restored, gradient(2 * w_re.size());
  for (unsigned row = 0; row < samples * inputs; ++row) {
    for (unsigned k = 0; k < modes; ++k) {
      float re = 0, im = 0;
      for (unsigned j = 0; j < points; ++j) {
        re = re + x[row * points + j] * turns[k * j % points];
        im = im - x[row * points + j] * turns[points + k * j % points];
      }
      from[row * 2 * modes + k] = re;
      from[row * 2 * modes + modes + k] = im;
    }
  }
  for (unsigned row = 0; row < samples * outputs; ++row) {
    for (unsigned k = 0; k < modes; ++k) {
      float re = 0, im = 0;
      for (unsigned c = 0; c < inputs; ++c) {
        const unsigned at = (row / outputs * inputs + c) * 2 * modes + k,
                       w = (k * inputs + c) * outputs + row % outputs;
        re = re + (from[at] * w_re[w] - from[at + modes] * w_im[w]);
        im = im + (from[at] * w_im[w] + from[at + modes] * w_re[w]);
      }
      to[row * 2 * modes + k] = re;
      to[row * 2 * modes + modes + k] = im;
    }
    for (unsigned j = 0; j < points; ++j) {
      float sum = 0;
      for (unsigned k = 0; k < modes; ++k) {
        const unsigned at = row * 2 * modes + k, turn = k * j % points;
        const float p = to[at] * turns[turn] - to[at + modes] * turns[points + turn];
        sum = sum + (k == 0 || 2 * k == points ? 1.0f : 2.0f) * p;
      }
      restored.push_back(sum / points);
    }
  }
  for (unsigned i = 0; i < w_re.size(); ++i) {
    const unsigned k = i / outputs / inputs, c = i / outputs % inputs, o = i % outputs;
    float re = 0, im = 0;
    for (unsigned n = 0; n < samples; ++n) {
      const unsigned at = (n * inputs + c) * 2 * modes + k, above = (n * outputs + o) * 2 * modes + k;
      re = re + (to[above] * from[at] + to[above + modes] * from[at + modes]);
      im = im + (to[above + modes] * from[at] - to[above] * from[at + modes]);
    }
    const float times = k == 0 || 2 * k == points ? 1.0f : 2.0f;
    gradient[i] = times * re / points;
    gradient[w_re.size() + i] = times * im / points;
  }
  check("fourier_transform", constants(samples * inputs * modes), from, x, turns);
  check("fourier_mix", constants(samples * outputs * modes), to, from, w_re, w_im);
  check("fourier_restore", constants(restored.size()), restored, to, turns);
  check("fourier_grad_weight", constants(w_re.size()), gradient, from, to);
}

// -- sources ------------------------------------------------------------------------------------------------

TEST(MetalSources, DrawTheHostsNumbers) {
  constexpr unsigned count = 4000;
  constexpr std::uint64_t key = 0x123456789abcdef0u;
  Floats uniform, mask;
  for (unsigned i = 0; i < count; ++i) {
    uniform.push_back(tenon::random::uniform<float>(0, 1, key, i));
    mask.push_back(tenon::random::bernoulli<float>(0.3, key, i));
  }
  const auto threshold = std::uint64_t(std::ceil(0.3 * 0x1p32));
  const Draw draw{count, std::uint32_t(key), std::uint32_t(key >> 32), std::uint32_t(threshold),
                  std::uint32_t(threshold >> 32)};
  check("sources_rand_uniform", draw, uniform);
  check("sources_bernoulli_mask", draw, mask);
  check("sources_bernoulli_mask", Draw{9, 1, 2, 0, 1}, Floats(9, 1.0f));  // 2^32: all of them
  check("sources_fill", Fill{9, -1e-40f}, Floats(9, -1e-40f));
}

TEST(MetalBattery, PassesOnADeviceThatFlushes) {
  const Floats a = drawn(700, Range::wild, 91), b = drawn(700, Range::wild, 92), c = drawn(700, Range::wild, 93);
  Numbers operations;
  Floats expected;
  for (unsigned i = 0; i < a.size(); ++i) {
    operations.push_back(i % 7);
    const float results[] = {a[i] + b[i],
                             a[i] - b[i],
                             a[i] * b[i],
                             a[i] / b[i],
                             std::sqrt(a[i]),
                             a[i] * b[i] + c[i],
                             float(double(a[i]) + double(b[i]))};
    expected.push_back(results[i % 7]);
  }
  check("battery_arithmetic", Battery{unsigned(a.size())}, expected, operations, a, b, c);
}

}  // namespace
}  // namespace gpusim::msl
