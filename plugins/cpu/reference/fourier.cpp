// fft_fno: the first Fourier modes of real channels, by the sum that defines them.
#include "provider.h"

namespace tenon::cpu::reference {
namespace {

/// The first modes of n real points. Immutable once built; any thread.
template <class T>
class Spectrum {
 public:
  Spectrum(std::uint64_t points, std::uint64_t modes) : points_(points), modes_(modes), cos_(points), sin_(points) {
    for (std::uint64_t r = 0; r < points; ++r) set_turn(r);
  }

  std::uint64_t points() const { return points_; }
  std::uint64_t modes() const { return modes_; }
  /// How often a mode stands in the whole spectrum: its conjugate is another mode, or itself.
  T multiplicity(std::uint64_t k) const { return k == 0 || 2 * k == points_ ? T(1) : T(2); }
  /// What the inverse transform divides by; without points it divides nothing.
  T divisor() const { return static_cast<T>(std::max<std::uint64_t>(points_, 1)); }

  /// The modes of one channel: all real parts, then all imaginary ones.
  void transform(const T* x, T* modes) const {
    T *re = modes, *im = modes + modes_;
    std::fill(modes, modes + 2 * modes_, T(0));
    for (std::uint64_t j = 0; j < points_; ++j) {
      for_each_turn(j, [=, this](std::uint64_t k, std::uint64_t r) {
        re[k] += x[j] * cos_[r];
        im[k] -= x[j] * sin_[r];
      });
    }
  }

  void restore(const T* modes, T* x) const {
    const T *re = modes, *im = modes + modes_;
    for (std::uint64_t j = 0; j < points_; ++j) {
      T sum = 0;
      for_each_turn(j, [=, this, &sum](std::uint64_t k, std::uint64_t r) {
        sum += multiplicity(k) * (re[k] * cos_[r] - im[k] * sin_[r]);
      });
      x[j] = sum / divisor();
    }
  }

 private:
  /// Calls visit(k, k * j mod n) for each mode.
  template <class Visit>
  void for_each_turn(std::uint64_t j, const Visit& visit) const {
    for (std::uint64_t k = 0, r = 0; k < modes_; ++k) {
      visit(k, r);
      r += j;
      if (r >= points_) r -= points_;
    }
  }

  /// Cosine and sine of r n-ths of a turn: those of the part beyond whole quarters, so that the quarters are exact.
  void set_turn(std::uint64_t r) {
    constexpr double half_pi = 0x1.921fb54442d18p0;
    const double rest = static_cast<double>(4 * r % points_) * half_pi / static_cast<double>(points_);
    double c = strict::cos(rest), s = strict::sin(rest);
    for (std::uint64_t quarter = 4 * r / points_; quarter != 0; --quarter) {
      const double turned = -s;
      s = c, c = turned;
    }
    cos_[r] = static_cast<T>(c), sin_[r] = static_cast<T>(s);
  }

  std::uint64_t points_, modes_;
  std::vector<T> cos_, sin_;
};

/// A tensor (..., channels, n) as rows of n, so many to a sample.
struct Channels {
  std::uint64_t count, rows;

  static Channels of(const TensorView& x, std::uint64_t samples) {
    const auto count = static_cast<std::uint64_t>(x.extent_from_end(2));
    return {count, samples * count};
  }
};

template <class T>
class Fourier {
 public:
  Fourier(const SignatureView& signature, const TensorView& x, const TensorView& y, const TensorView& weight)
      : spectrum_(spectrum_of(signature, x, y, weight)) {
    samples_ = 1;
    for (std::size_t axis = 0; axis + 2 < x.rank(); ++axis) samples_ *= static_cast<std::uint64_t>(x.extent(axis));
    inputs_ = Channels::of(x, samples_), outputs_ = Channels::of(y, samples_);
  }

 protected:
  /// Elements of the modes of one channel.
  std::uint64_t width() const { return 2 * spectrum_.modes(); }
  std::uint64_t workspace_bytes() const { return (inputs_.rows + outputs_.rows) * width() * sizeof(T); }

  /// The modes of each row of x.
  void transform(const T* x, T* modes, std::uint64_t rows) const {
    for_rows(rows, [=, this](std::uint64_t row) {
      spectrum_.transform(x + row * spectrum_.points(), modes + row * width());
    });
  }

  template <class Body>
  void for_rows(std::uint64_t rows, const Body& body) const {
    const auto grain = rows_per_range(4 * spectrum_.points() * spectrum_.modes());
    plugin::for_ranges(rows, grain, [&](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) body(row);
    });
  }

  Spectrum<T> spectrum_;
  std::uint64_t samples_ = 0;
  Channels inputs_{}, outputs_{};

 private:
  static Spectrum<T> spectrum_of(const SignatureView& signature, const TensorView& x, const TensorView& y,
                                 const TensorView& weight) {
    const auto points = static_cast<std::uint64_t>(x.rank() < 2 ? 0 : x.extent_from_end(1));
    const auto modes = static_cast<std::uint64_t>(weight.rank() != 3 ? 0 : weight.extent(0));
    if (x.rank() < 2 || weight.rank() != 3 || y.rank() != x.rank() || modes > points / 2 + 1 ||
        x.extent_from_end(2) != weight.extent(1) || y.extent_from_end(2) != weight.extent(2)) {
      plugin::refuse("[", signature.op(), "] x ", x.shape(), ", weights ", weight.shape(), ", result ", y.shape());
    }
    return {points, modes};
  }
};

/// (x, w_re, w_im)
template <class T>
class FftFno : Fourier<T> {
 public:
  using dtypes = T(T, T, T);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

  explicit FftFno(const SignatureView& signature)
      : Fourier<T>(signature, signature.operand(0), signature.output(), signature.operand(1)) {
    if (signature.operand(2).elements() == signature.operand(1).elements()) return;
    plugin::refuse("[fft_fno] w_re ", signature.operand(1).shape(), ", w_im ", signature.operand(2).shape());
  }

  /// The modes of x, then those of the result.
  using Fourier<T>::workspace_bytes;

  void operator()(const Arguments& arguments) const {
    T* from = arguments.workspace<T>();
    T* to = from + this->inputs_.rows * this->width();
    T* output = arguments.output<T>();
    this->transform(arguments.operand<T>(0), from, this->inputs_.rows);
    this->for_rows(this->outputs_.rows, [=, this](std::uint64_t row) {
      T* modes = to + row * this->width();
      mix(arguments, from, row, modes);
      this->spectrum_.restore(modes, output + row * this->spectrum_.points());
    });
  }

 private:
  /// One output channel of a sample: for each mode the sum over its input channels.
  void mix(const Arguments& arguments, const T* from, std::uint64_t row, T* to) const {
    const T *w_re = arguments.operand<T>(1), *w_im = arguments.operand<T>(2);
    const std::uint64_t modes = this->spectrum_.modes(), inputs = this->inputs_.count, outputs = this->outputs_.count;
    const T* sample = from + row / outputs * inputs * this->width();
    for (std::uint64_t k = 0; k < modes; ++k) {
      T re = 0, im = 0;
      for (std::uint64_t i = 0; i < inputs; ++i) {
        const std::uint64_t weight = (k * inputs + i) * outputs + row % outputs;
        const T x_re = sample[i * this->width() + k], x_im = sample[i * this->width() + modes + k];
        re += x_re * w_re[weight] - x_im * w_im[weight];
        im += x_re * w_im[weight] + x_im * w_re[weight];
      }
      to[k] = re, to[modes + k] = im;
    }
  }
};

/// (x, upstream, weight): the gradients for w_re, then for w_im.
template <class T>
class FftFnoGradWeight : Fourier<T> {
 public:
  using dtypes = T(T, T, T);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  static constexpr bool differentiable = false;

  explicit FftFnoGradWeight(const SignatureView& signature)
      : Fourier<T>(signature, signature.operand(0), signature.operand(1), signature.operand(2)),
        weights_(signature.operand(2).elements()) {
    if (signature.output().elements() == 2 * weights_) return;
    plugin::refuse("[fft_fno_grad_weight] weight ", signature.operand(2).shape(), ", result ",
                   signature.output().shape());
  }

  /// The modes of x, then those of upstream.
  using Fourier<T>::workspace_bytes;

  void operator()(const Arguments& arguments) const {
    T* x = arguments.workspace<T>();
    T* upstream = x + this->inputs_.rows * this->width();
    T* output = arguments.output<T>();
    this->transform(arguments.operand<T>(0), x, this->inputs_.rows);
    this->transform(arguments.operand<T>(1), upstream, this->outputs_.rows);
    plugin::for_ranges(weights_, rows_per_range(8 * this->samples_), [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t weight = begin; weight < end; ++weight) fold(x, upstream, weight, output);
    });
  }

 private:
  /// One weight, over the samples.
  void fold(const T* x, const T* upstream, std::uint64_t weight, T* output) const {
    const std::uint64_t modes = this->spectrum_.modes(), inputs = this->inputs_.count, outputs = this->outputs_.count;
    const std::uint64_t k = weight / outputs / inputs, i = weight / outputs % inputs, o = weight % outputs;
    T re = 0, im = 0;
    for (std::uint64_t sample = 0; sample < this->samples_; ++sample) {
      const T* from = x + (sample * inputs + i) * this->width() + k;
      const T* above = upstream + (sample * outputs + o) * this->width() + k;
      re += above[0] * from[0] + above[modes] * from[modes];
      im += above[modes] * from[0] - above[0] * from[modes];
    }
    const T times = this->spectrum_.multiplicity(k), divisor = this->spectrum_.divisor();
    output[weight] = times * re / divisor;
    output[weights_ + weight] = times * im / divisor;
  }

  std::uint64_t weights_;
};

TENON_CAPSULES capsules = plugin::join(both<"fft_fno", FftFno>, both<"fft_fno_grad_weight", FftFnoGradWeight>);

}  // namespace
}  // namespace tenon::cpu::reference
