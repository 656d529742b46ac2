// Pooling: each window of a plane becomes one element. Planes are independent.
#include "taps.h"

namespace tenon::cpu::reference {
namespace {

constexpr auto pool_attributes = plugin::names("kernel", "stride", "padding");

/// Does padding take part as zeros, or only in the number of the kernel's elements?
enum class Padding : std::uint8_t { left_out, zeros };

/// Planes of `x` (batch, channels, spatial...) and of what pooling makes of them. Where padding is left out, so are the
/// taps that only ever meet it.
struct Planes {
  std::int64_t kernel_elements;
  Taps taps;
  std::int64_t count;

  Planes(const SignatureView& signature, const TensorView& x, const TensorView& pooled,
         Padding padding = Padding::left_out)
      : Planes(taps_of(signature, x, pooled), x.extent(0) * x.extent(1), padding) {}

  /// Calls body(plane) for each, on the host's threads.
  template <class Body>
  void for_each(const Body& body) const {
    const auto grain =
        rows_per_range(static_cast<std::uint64_t>(taps.outputs()) * static_cast<std::uint64_t>(taps.kernel()));
    plugin::for_ranges(static_cast<std::uint64_t>(count), grain, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t plane = begin; plane < end; ++plane) body(static_cast<std::int64_t>(plane));
    });
  }

 private:
  Planes(const Taps& all, std::int64_t planes, Padding padding)
      : kernel_elements(all.kernel()), taps(padding == Padding::zeros ? all : all.inside()), count(planes) {}

  static Taps taps_of(const SignatureView& signature, const TensorView& x, const TensorView& pooled) {
    if (x.rank() < 3 || pooled.rank() != x.rank() || pooled.extent(0) != x.extent(0) ||
        pooled.extent(1) != x.extent(1)) {
      plugin::refuse("[", signature.op(), "] x ", x.shape(), ", pooled ", pooled.shape());
    }
    return Taps::of(signature, x.shape().subspan(2), signature.integers("kernel"), pooled.shape().subspan(2), true);
  }
};

/// Calls visit(output, input) for each tap of a plane that is not padding, at kernel position k.
template <class Visit>
void for_each_tap(const Taps& taps, std::int64_t k, const Visit& visit) {
  const std::int64_t stride = taps.stride();
  taps.for_each_row(k, [&](const Taps::Row& row) {
    for (std::int64_t j = row.first; j < row.last; ++j) visit(row.output + j, row.input + j * stride);
  });
}

template <class T>
class MaxPool {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = pool_attributes;

  explicit MaxPool(const SignatureView& signature) : planes_(signature, signature.operand(0), signature.output()) {}

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const Taps& taps = planes_.taps;
    planes_.for_each([=, &taps](std::int64_t plane) {
      const T* from = x + plane * taps.inputs();
      T* to = output + plane * taps.outputs();
      std::fill(to, to + taps.outputs(), -std::numeric_limits<T>::infinity());
      for (std::int64_t k = 0; k < taps.kernel(); ++k) {
        for_each_tap(taps, k, [=](std::int64_t o, std::int64_t i) { to[o] = strict::maximum(to[o], from[i]); });
      }
    });
  }

 private:
  Planes planes_;
};

/// (x, upstream): each window's upstream goes to its first greatest element, NaN being greater than any number.
template <class T>
class MaxPoolGrad {
 public:
  using dtypes = T(T, T);
  static constexpr auto attributes = pool_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  static constexpr bool differentiable = false;

  explicit MaxPoolGrad(const SignatureView& signature) : planes_(signature, signature.output(), signature.operand(1)) {}

  /// Which input each window has found greatest.
  std::uint64_t workspace_bytes() const {
    return static_cast<std::uint64_t>(planes_.count * planes_.taps.outputs()) * sizeof(std::int64_t);
  }

  void operator()(const Arguments& arguments) const {
    const T *x = arguments.operand<T>(0), *upstream = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    auto* winners = arguments.workspace<std::int64_t>();
    const std::int64_t inputs = planes_.taps.inputs(), outputs = planes_.taps.outputs();
    planes_.for_each([=, this](std::int64_t plane) {
      std::int64_t* won = winners + plane * outputs;
      find_winners(x + plane * inputs, won);
      T* to = output + plane * inputs;
      std::fill(to, to + inputs, T(0));
      for (std::int64_t o = 0; o < outputs; ++o) {
        if (won[o] >= 0) to[won[o]] += upstream[plane * outputs + o];  // a window of padding alone has no winner
      }
    });
  }

 private:
  void find_winners(const T* x, std::int64_t* won) const {
    const Taps& taps = planes_.taps;
    std::fill(won, won + taps.outputs(), -1);
    for (std::int64_t k = 0; k < taps.kernel(); ++k) {
      for_each_tap(taps, k, [=](std::int64_t o, std::int64_t i) {
        if (won[o] < 0 || beats(x[i], x[won[o]])) won[o] = i;
      });
    }
  }
  static bool beats(T candidate, T best) { return candidate > best || (candidate != candidate && best == best); }
  Planes planes_;
};

template <class T>
class AvgPool {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = pool_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

  explicit AvgPool(const SignatureView& signature) : planes_(signature, signature.operand(0), signature.output()) {}

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const Taps& taps = planes_.taps;
    planes_.for_each([=, this, &taps](std::int64_t plane) {
      const T* from = x + plane * taps.inputs();
      T* to = output + plane * taps.outputs();
      std::fill(to, to + taps.outputs(), T(0));
      for (std::int64_t k = 0; k < taps.kernel(); ++k) {
        for_each_tap(taps, k, [=](std::int64_t o, std::int64_t i) { to[o] += from[i]; });
      }
      for (std::int64_t o = 0; o < taps.outputs(); ++o) to[o] /= static_cast<T>(planes_.kernel_elements);
    });
  }

 private:
  Planes planes_;
};

/// (x, upstream): each element of a window gets the same share.
template <class T>
class AvgPoolGrad {
 public:
  using dtypes = T(T, T);
  static constexpr auto attributes = pool_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  static constexpr bool differentiable = false;

  explicit AvgPoolGrad(const SignatureView& signature) : planes_(signature, signature.output(), signature.operand(1)) {}

  void operator()(const Arguments& arguments) const {
    const T* upstream = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    const Taps& taps = planes_.taps;
    planes_.for_each([=, this, &taps](std::int64_t plane) {
      const T* from = upstream + plane * taps.outputs();
      T* to = output + plane * taps.inputs();
      const T elements = static_cast<T>(planes_.kernel_elements);
      std::fill(to, to + taps.inputs(), T(0));
      // An input meets a later window at an earlier kernel position: downwards, windows come in order.
      for (std::int64_t k = taps.kernel(); k-- != 0;) {
        for_each_tap(taps, k, [=](std::int64_t o, std::int64_t i) { to[i] += from[o] / elements; });
      }
    });
  }

 private:
  Planes planes_;
};

/// Of each window of a plane: p, its greatest element (where beta < 0 its least), and the sum of exp(beta (x - p)).
/// A tap in the padding is a 0 like any other.
template <class T>
class SmoothWindows {
 public:
  explicit SmoothWindows(const SignatureView& signature) : beta_(static_cast<T>(signature.real("beta", 1))) {}

  T beta() const { return beta_; }
  T exponential(T x, T peak) const { return strict::exp(beta_ * (x - peak)); }

  void fold(const Taps& taps, const T* x, T* peaks, T* sums) const {
    const bool up = beta_ > 0;
    std::fill(peaks, peaks + taps.outputs(), (up ? -1 : 1) * std::numeric_limits<T>::infinity());
    std::fill(sums, sums + taps.outputs(), T(0));
    for_each_value(taps, x, [=](std::int64_t o, T value) {
      peaks[o] = up ? strict::maximum(peaks[o], value) : strict::minimum(peaks[o], value);
    });
    for_each_value(taps, x, [=, this](std::int64_t o, T value) { sums[o] += exponential(value, peaks[o]); });
  }

 private:
  template <class Visit>
  static void for_each_value(const Taps& taps, const T* x, const Visit& visit) {
    const std::int64_t stride = taps.stride(), length = taps.row_length();
    for (std::int64_t k = 0; k < taps.kernel(); ++k) {
      taps.for_each_row(k, [&](const Taps::Row& row) {
        for (std::int64_t j = 0; j < length; ++j) {
          const bool inside = row.first <= j && j < row.last;
          visit(row.output + j, inside ? x[row.input + j * stride] : T(0));
        }
      });
    }
  }
  T beta_;
};

constexpr auto smooth_pool_attributes = plugin::names("kernel", "stride", "padding", "beta");

template <class T>
class SmoothMaxPool {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = smooth_pool_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

  explicit SmoothMaxPool(const SignatureView& signature)
      : planes_(signature, signature.operand(0), signature.output(), Padding::zeros), windows_(signature) {}

  /// The windows' sums.
  std::uint64_t workspace_bytes() const {
    return static_cast<std::uint64_t>(planes_.count * planes_.taps.outputs()) * sizeof(T);
  }

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    T* workspace = arguments.workspace<T>();
    const std::int64_t inputs = planes_.taps.inputs(), outputs = planes_.taps.outputs();
    planes_.for_each([=, this](std::int64_t plane) {
      T *to = output + plane * outputs, *sums = workspace + plane * outputs;
      windows_.fold(planes_.taps, x + plane * inputs, to, sums);
      for (std::int64_t o = 0; o < outputs; ++o) to[o] += strict::log(sums[o]) / windows_.beta();
    });
  }

 private:
  Planes planes_;
  SmoothWindows<T> windows_;
};

/// (x, upstream): each element of a window gets its weight among them.
template <class T>
class SmoothMaxPoolGrad {
 public:
  using dtypes = T(T, T);
  static constexpr auto attributes = smooth_pool_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  static constexpr bool differentiable = false;

  explicit SmoothMaxPoolGrad(const SignatureView& signature)
      : planes_(signature, signature.output(), signature.operand(1), Padding::zeros), windows_(signature) {}

  /// What SmoothWindows finds.
  std::uint64_t workspace_bytes() const {
    return static_cast<std::uint64_t>(2 * planes_.count * planes_.taps.outputs()) * sizeof(T);
  }

  void operator()(const Arguments& arguments) const {
    const T *x = arguments.operand<T>(0), *upstream = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    T* workspace = arguments.workspace<T>();
    const Taps& taps = planes_.taps;
    planes_.for_each([=, this, &taps](std::int64_t plane) {
      const T *from = x + plane * taps.inputs(), *above = upstream + plane * taps.outputs();
      T *to = output + plane * taps.inputs(), *peaks = workspace + 2 * plane * taps.outputs();
      T* sums = peaks + taps.outputs();
      windows_.fold(taps, from, peaks, sums);
      std::fill(to, to + taps.inputs(), T(0));
      // Downwards, so that an input meets its windows in order, as in AvgPoolGrad.
      for (std::int64_t k = taps.kernel(); k-- != 0;) {
        for_each_tap(taps, k, [=, this](std::int64_t o, std::int64_t i) {
          to[i] += above[o] * (windows_.exponential(from[i], peaks[o]) / sums[o]);
        });
      }
    });
  }

 private:
  Planes planes_;
  SmoothWindows<T> windows_;
};

TENON_CAPSULES capsules =
    plugin::join(both<"max_pool", MaxPool>, both<"max_pool_grad", MaxPoolGrad>, both<"avg_pool", AvgPool>,
                 both<"avg_pool_grad", AvgPoolGrad>, both<"smooth_max_pool", SmoothMaxPool>,
                 both<"smooth_max_pool_grad", SmoothMaxPoolGrad>);

}  // namespace
}  // namespace tenon::cpu::reference
