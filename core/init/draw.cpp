#include "tenon/draw.h"

#include "tenon/contain.h"
#include "tenon/random.h"

namespace tenon {
namespace {

/// Writes values one after another; one function for each scheme.
template <class T>
class Pen {
 public:
  explicit Pen(std::span<T> values) : values_(values) {}

  void operator()(const init::Zeros&) const { std::ranges::fill(values_, T{0}); }
  void operator()(const init::Ones&) const { std::ranges::fill(values_, T{1}); }
  void operator()(const init::Uniform& u) const { uniform(u.low, u.high, u.seed); }
  void operator()(const init::XavierUniform& x) const {
    const double limit = random::xavier_limit(x.fan_in, x.fan_out);
    uniform(-limit, limit, x.seed);
  }
  void operator()(const init::KaimingUniform& k) const {
    const double limit = random::kaiming_limit(k.fan_in);
    uniform(-limit, limit, k.seed);
  }
  void operator()(const init::Normal& n) const {
    const std::uint64_t key = random::key(n.seed, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = random::normal<T>(n.mean, n.std, key, i);
  }
  void operator()(const init::Flat& f) const {
    std::ranges::transform(f.values, values_.begin(), [](double value) { return static_cast<T>(value); });
  }

 private:
  void uniform(double low, double high, std::uint64_t seed) const {
    const std::uint64_t key = random::key(seed, 0);
    for (std::size_t i = 0; i < values_.size(); ++i) values_[i] = random::uniform<T>(low, high, key, i);
  }

  std::span<T> values_;
};

template <class T>
result<void> draw_into(const FloatInit& scheme, std::span<T> values) {
  TENON_CHECK(validate(scheme, static_cast<Extent>(values.size())));
  std::visit(Pen<T>(values), scheme);
  return {};
}

}  // namespace

result<void> draw(const FloatInit& scheme, std::span<double> values) { return draw_into(scheme, values); }
result<void> draw(const FloatInit& scheme, std::span<float> values) { return draw_into(scheme, values); }

result<std::vector<double>> float_array_of(Extent elements, const FloatInit& scheme) {
  if (!checked_elements(Shape(elements)))
    return fail(Reason::INVALID_ARGUMENT, "[init] found " + std::to_string(elements) + " elements, expected 0 to 2^48");
  return contained("init", [&]() -> result<std::vector<double>> {
    std::vector<double> values(static_cast<std::size_t>(elements));
    TENON_CHECK(draw(scheme, values));
    return values;
  });
}

}  // namespace tenon
