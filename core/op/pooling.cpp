#include <algorithm>
#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/op_table.h"

namespace tenon {
namespace gradient {

void max_pool(GradientCall& c) {
  c.gradient[0] = max_pool_grad(c.operands[0], c.upstream, std::get<Pool>(c.attributes));
}

void avg_pool(GradientCall& c) {
  c.gradient[0] = avg_pool_grad(c.operands[0], c.upstream, std::get<Pool>(c.attributes));
}

void smooth_max_pool(GradientCall& c) {
  c.gradient[0] = smooth_max_pool_grad(c.operands[0], c.upstream, std::get<SmoothPool>(c.attributes));
}

}  // namespace gradient

namespace reference {
namespace {

/// The elements of x (a shape) in the window of one element of the result, in row-major order.
std::vector<std::size_t> window_at(const Shape& x, const Pool& pool, const Index& output) {
  Shape box = x.from(2);  // where window and x overlap; the kernel may be far longer than x
  Index first = output;
  for (int axis = 0; axis < box.rank; ++axis) {
    const rule::Sweep sweep = rule::sweep_of(pool, pool.kernel, axis);
    const auto i = static_cast<std::size_t>(axis) + 2;
    const Extent begin = output[i] * sweep.stride - sweep.padding;
    first[i] = std::max<Extent>(begin, 0);
    box[axis] = std::max<Extent>(std::min(x[axis + 2], begin + sweep.kernel) - first[i], 0);
  }
  std::vector<std::size_t> inside;
  for_each_index(box, [&](const Index& offset, std::size_t) {
    Index at = first;
    for (int axis = 0; axis < box.rank; ++axis)
      at[static_cast<std::size_t>(axis) + 2] += offset[static_cast<std::size_t>(axis)];
    inside.push_back(position(x, at, x.rank));
  });
  return inside;
}

Pool pool_of(const Attributes& attributes) {
  const auto* smooth = std::get_if<SmoothPool>(&attributes.base());
  return smooth == nullptr ? std::get<Pool>(attributes) : rule::windows_of(*smooth);
}

/// Calls visit(window, row-major position) for each element of the pooled shape.
template <class Visit>
void for_each_window(const ReferenceCall& c, const Shape& pooled, Visit visit) {
  const Pool pool = pool_of(c.attributes);
  for_each_index(pooled,
                 [&](const Index& index, std::size_t i) { visit(window_at(c.operands[0].shape, pool, index), i); });
}

double kernel_elements(const ReferenceCall& c) {
  return static_cast<double>(count(std::get<Pool>(c.attributes).kernel));
}

/// The first greatest element of a window; the first NaN if it has one.
std::size_t greatest_of(const std::vector<std::size_t>& window, const std::vector<double>& x) {
  std::size_t best = window.front();
  for (const std::size_t i : window)
    if (x[i] > x[best] || (std::isnan(x[i]) && !std::isnan(x[best]))) best = i;
  return best;
}

/// The values of a window for smooth_max_pool, the padded ones last, and what they come to.
struct SmoothWindow {
  std::vector<double> values;
  double beta, peak, sum = 0;

  SmoothWindow(const ReferenceCall& c, const std::vector<std::size_t>& window)
      : values(count(pool_of(c.attributes).kernel), 0.0), beta(std::get<SmoothPool>(c.attributes).beta) {
    std::ranges::transform(window, values.begin(), [&](std::size_t i) { return c.operands[0].values[i]; });
    peak = values.front();
    for (const double x : values)
      if (std::isnan(x) || (beta > 0 ? x > peak : x < peak)) peak = x;
    for (const double x : values) sum += weight(x);
  }
  double weight(double x) const { return std::exp(beta * (x - peak)); }
};

}  // namespace

void max_pool(ReferenceCall& c) {
  HostArray& out = c.outputs[0];
  const std::vector<double>& x = c.operands[0].values;
  for_each_window(c, out.shape, [&](const auto& window, std::size_t i) { out.values[i] = x[greatest_of(window, x)]; });
}

void max_pool_grad(ReferenceCall& c) {
  const HostArray& upstream = c.operands[1];
  std::vector<double>& out = c.outputs[0].values;
  std::ranges::fill(out, 0.0);
  for_each_window(c, upstream.shape, [&](const auto& window, std::size_t i) {
    out[greatest_of(window, c.operands[0].values)] += upstream.values[i];
  });
}

void avg_pool(ReferenceCall& c) {
  HostArray& out = c.outputs[0];
  for_each_window(c, out.shape, [&](const auto& window, std::size_t i) {
    double sum = 0;
    for (const std::size_t element : window) sum += c.operands[0].values[element];
    out.values[i] = sum / kernel_elements(c);
  });
}

void avg_pool_grad(ReferenceCall& c) {
  const HostArray& upstream = c.operands[1];
  std::vector<double>& out = c.outputs[0].values;
  std::ranges::fill(out, 0.0);
  for_each_window(c, upstream.shape, [&](const auto& window, std::size_t i) {
    for (const std::size_t element : window) out[element] += upstream.values[i] / kernel_elements(c);
  });
}

void smooth_max_pool(ReferenceCall& c) {
  HostArray& out = c.outputs[0];
  for_each_window(c, out.shape, [&](const auto& window, std::size_t i) {
    const SmoothWindow smooth(c, window);
    out.values[i] = smooth.peak + std::log(smooth.sum) / smooth.beta;
  });
}

void smooth_max_pool_grad(ReferenceCall& c) {
  const HostArray &x = c.operands[0], &upstream = c.operands[1];
  std::vector<double>& out = c.outputs[0].values;
  std::ranges::fill(out, 0.0);
  for_each_window(c, upstream.shape, [&](const auto& window, std::size_t i) {
    const SmoothWindow smooth(c, window);
    for (const std::size_t element : window)
      out[element] += upstream.values[i] * smooth.weight(x.values[element]) / smooth.sum;
  });
}

}  // namespace reference

namespace cases {
namespace {

struct Example {
  Shape x;
  Pool pool;
};

std::vector<Example> examples() {
  constexpr Extent long_kernel = Extent{1} << 40;  // all but its middle in the padding
  return {{{2, 3, 6}, {Shape{2}, {}, {}}},
          {{2, 3, 6, 8}, {{2, 2}, {}, {}}},
          {{1, 2, 7, 5}, {{3, 2}, {}, {}}},
          {{1, 2, 7, 6}, {{3, 3}, {2, 1}, {}}},
          {{1, 2, 7, 6}, {{3, 2}, {1, 1}, {1, 1}}},
          {{1, 1, 9, 9}, {{2, 2}, {3, 3}, {}}},
          {{1, 1, 1, 1}, {{2, 2}, {}, {1, 1}}},
          {{1, 2, 1, 1}, {{1, 1}, {}, {}}},
          {{0, 2, 4, 4}, {{2, 2}, {}, {}}},
          {{2, 0, 4, 4}, {{2, 2}, {}, {}}},
          {{1, 2, 4, 5, 3}, {{2, 3, 2}, {1, 2, 1}, {1, 1, 0}}},
          {{1, 1, 2, 2, 3, 2, 1, 2}, {{2, 1, 2, 2, 1, 1}, {}, {}}},
          {{1, 2, 4, 3}, {{long_kernel, 1}, {}, {long_kernel / 2, 0}}},
          {{1, 2, 4, 3}, {{7, long_kernel + 1}, {2, 1}, {3, long_kernel / 2}}},
          {{3, 5, 33, 35}, {{3, 3}, {2, 2}, {1, 1}}}};
}

std::vector<Case> pooled_cases() {
  std::vector<Case> out;
  for (const Example& e : examples()) out.push_back(drawn({e.x}, e.pool));
  return out;
}

Shape output_of(const Shape& x, const Pool& pool) {
  Message why;
  return rule::avg_pool({&x, 1}, pool, why);
}

std::vector<Case> gradient_cases() {
  std::vector<Case> out;
  for (const Example& e : examples()) out.push_back(drawn({e.x, output_of(e.x, e.pool)}, e.pool));
  return out;
}

/// Windows of three, one apart, along these values; the gradient's has an upstream too.
Case along(std::string name, std::vector<double> values, bool gradient) {
  const Shape x{1, 1, static_cast<Extent>(values.size())};
  const Pool pool{Shape{3}, Shape{1}, Shape{1}};
  Case c = gradient ? drawn({x, output_of(x, pool)}, pool) : drawn({x}, pool);
  c.name = std::move(name);
  c.values = {std::move(values)};
  c.check_gradient = false;
  return c;
}

std::vector<Case> with_specials(std::vector<Case> cases, bool gradient) {
  cases.push_back(along("ties", {1, 1, 0, 2, 2, 2, 1}, gradient));
  cases.push_back(along("NaN", {1, not_a_number, 3, 4, 5, 6, not_a_number, not_a_number}, gradient));
  cases.push_back(along("infinities", {-infinity, -infinity, -infinity, 0, infinity, infinity}, gradient));
  cases.push_back(along("zeros", {-0.0, 0.0, -0.0, -1, -0.0}, gradient));
  return cases;
}

SmoothPool smoothed(const Pool& pool, double beta) { return {pool.kernel, pool.stride, pool.padding, beta}; }

/// Every example, with a beta from mild to steep of either sign; and what is not finite.
std::vector<Case> smooth_cases(bool gradient) {
  constexpr double betas[] = {1, -1, 0.25, 3, -30};
  std::vector<Case> out;
  for (const Example& e : examples()) {
    if (count(e.pool.kernel) > static_cast<std::size_t>(rule::most_smoothed)) continue;  // refused
    const SmoothPool pool = smoothed(e.pool, betas[out.size() % std::size(betas)]);
    out.push_back(gradient ? drawn({e.x, output_of(e.x, e.pool)}, pool) : drawn({e.x}, pool));
  }
  for (const double beta : {2.0, -2.0})
    for (Case c : {along("NaN", {1, not_a_number, 3, 4, 5, 6}, gradient),
                   along("infinities", {-infinity, -infinity, 0, 1, 2, infinity, 1}, gradient),
                   along("far apart", {1e4, -1e4, 3e4, 3e4, 0}, gradient)}) {
      c.attributes = smoothed(std::get<Pool>(c.attributes), beta);
      c.name += beta > 0 ? " upwards" : " downwards";
      out.push_back(std::move(c));
    }
  return out;
}

}  // namespace

std::vector<Case> max_pool() { return with_specials(pooled_cases(), false); }
std::vector<Case> max_pool_grad() { return with_specials(gradient_cases(), true); }
std::vector<Case> avg_pool() { return pooled_cases(); }
std::vector<Case> avg_pool_grad() { return gradient_cases(); }
std::vector<Case> smooth_max_pool() { return smooth_cases(false); }
std::vector<Case> smooth_max_pool_grad() { return smooth_cases(true); }

}  // namespace cases
}  // namespace tenon
