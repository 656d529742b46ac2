// Attention and a linear recurrence; fft_fno is in fourier.cpp.
#include "products.h"
#include "rows.h"

namespace tenon::cpu::reference {
namespace {

/// (query, key, value, mask): matmul, scale, hard_masked_softmax and matmul, row by row.
template <class T>
class ScaledDotProductAttention {
 public:
  using dtypes = T(T, T, T, T);
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);

  explicit ScaledDotProductAttention(const SignatureView& signature)
      : queries_(extent(signature.operand(0), 2)),
        keys_(extent(signature.operand(1), 2)),
        depth_(extent(signature.operand(0), 1)),
        columns_(extent(signature.operand(2), 1)),
        key_elements_(signature.operand(1).elements()),
        factor_(static_cast<T>(1 / strict::sqrt(static_cast<double>(depth_)))) {
    check(signature);
    for (std::uint32_t i = 0; i < 4; ++i) matrices_[i] = matrices_of(signature.operand(i), signature.output());
  }

  /// The keys transposed, so that neighbouring scores are neighbours in memory, and all scores.
  std::uint64_t workspace_bytes() const { return (key_elements_ + rows() * keys_) * sizeof(T); }

  void operator()(const Arguments& arguments) const {
    T* keys = arguments.workspace<T>();
    transpose(arguments.operand<T>(1), keys);
    const auto grain = rows_per_range(keys_ * (depth_ + columns_ + 20));
    plugin::for_ranges(rows(), grain, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) apply(arguments, keys, row);
    });
  }
  std::uint64_t flops() const { return 2 * rows() * keys_ * (depth_ + columns_); }

 private:
  void check(const SignatureView& signature) const {
    const TensorView query = signature.operand(0), key = signature.operand(1), value = signature.operand(2),
                     mask = signature.operand(3);
    for (std::uint32_t i = 0; i < 4; ++i) {
      if (signature.operand(i).rank() >= 2) continue;
      plugin::refuse("[", signature.op(), "] operand ", i, " ", signature.operand(i).shape());
    }
    if (extent(key, 1) == depth_ && extent(value, 2) == keys_ && extent(mask, 2) == queries_ &&
        extent(mask, 1) == keys_)
      return;
    plugin::refuse("[", signature.op(), "] query ", query.shape(), ", key ", key.shape(), ", value ", value.shape(),
                   ", mask ", mask.shape());
  }

  std::uint64_t rows() const { return matrices_[0].count() * queries_; }

  void transpose(const T* keys, T* transposed) const {
    const std::uint64_t size = keys_ * depth_;
    for (std::uint64_t matrix = 0; matrix < key_elements_; matrix += size) {
      for (std::uint64_t j = 0; j < keys_; ++j) {
        for (std::uint64_t k = 0; k < depth_; ++k) transposed[matrix + k * keys_ + j] = keys[matrix + j * depth_ + k];
      }
    }
  }

  /// Where the matrix of an operand begins that takes part in a row.
  std::uint64_t begin(std::size_t operand, std::uint64_t row) const {
    return static_cast<std::uint64_t>(matrices_[operand].offset(row / queries_));
  }

  void apply(const Arguments& arguments, T* keys, std::uint64_t row) const {
    const std::uint64_t query = row % queries_;
    T* scores = keys + key_elements_ + row * keys_;
    multiply_row(scores, arguments.operand<T>(0) + begin(0, row) + query * depth_, keys + begin(1, row), depth_, keys_);
    for (std::uint64_t j = 0; j < keys_; ++j) scores[j] *= factor_;
    masked_softmax_row(scores, arguments.operand<T>(3) + begin(3, row) + query * keys_, scores, keys_);
    multiply_row(arguments.output<T>() + row * columns_, scores, arguments.operand<T>(2) + begin(2, row), keys_,
                 columns_);
  }

  std::uint64_t queries_, keys_, depth_, columns_, key_elements_;
  T factor_;
  std::array<Walk, 4> matrices_;
};

/// The steps along the first axis of a scan, each of so many elements that know nothing of one another.
struct Steps {
  std::uint64_t count, size;

  static Steps of(const SignatureView& signature) {
    const TensorView output = signature.output();
    if (output.rank() == 0) plugin::refuse("[", signature.op(), "] found a scalar, expected a first axis");
    const auto count = static_cast<std::uint64_t>(output.extent(0));
    return {count, count == 0 ? 0 : output.elements() / count};
  }

  void check(const SignatureView& signature, std::uint32_t operand, std::uint64_t elements) const {
    if (count == 0 || signature.operand(operand).elements() == elements) return;
    plugin::refuse("[", signature.op(), "] operand ", operand, " ", signature.operand(operand).shape(), ", result ",
                   signature.output().shape());
  }

  /// Calls body(begin, end) for ranges of the elements, on the host's threads.
  template <class Body>
  void for_each(const Body& body) const {
    plugin::for_ranges(size, rows_per_range(4 * count), body);
  }
};

/// (a, b, x, h0)
template <class T>
class SelectiveScan {
 public:
  using dtypes = T(T, T, T, T);
  static constexpr bool in_place = true;  // an element is not read again once written

  explicit SelectiveScan(const SignatureView& signature) : steps_(Steps::of(signature)) {
    for (std::uint32_t i = 0; i < 3; ++i) steps_.check(signature, i, steps_.count * steps_.size);
    steps_.check(signature, 3, steps_.size);
  }

  void operator()(const Arguments& arguments) const {
    const T *a = arguments.operand<T>(0), *b = arguments.operand<T>(1), *x = arguments.operand<T>(2);
    const T* h0 = arguments.operand<T>(3);
    T* output = arguments.output<T>();
    steps_.for_each([=, this](std::uint64_t begin, std::uint64_t end) {
      const T* before = h0;
      for (std::uint64_t t = 0; t < steps_.count; ++t) {
        const std::uint64_t step = t * steps_.size;
        for (std::uint64_t i = begin; i < end; ++i)
          output[step + i] = a[step + i] * before[i] + b[step + i] * x[step + i];
        before = output + step;
      }
    });
  }
  std::uint64_t flops() const { return 3 * steps_.count * steps_.size; }

 private:
  Steps steps_;
};

/// (a, upstream)
template <class T>
class SelectiveScanGrad {
 public:
  using dtypes = T(T, T);
  static constexpr bool differentiable = false;

  explicit SelectiveScanGrad(const SignatureView& signature) : steps_(Steps::of(signature)) {
    for (std::uint32_t i = 0; i < 2; ++i) steps_.check(signature, i, steps_.count * steps_.size);
  }

  void operator()(const Arguments& arguments) const {
    const T *a = arguments.operand<T>(0), *upstream = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    if (steps_.count == 0) return;
    steps_.for_each([=, this](std::uint64_t begin, std::uint64_t end) {
      std::uint64_t step = (steps_.count - 1) * steps_.size;
      std::copy(upstream + step + begin, upstream + step + end, output + step + begin);
      while (step != 0) {
        const std::uint64_t later = step;
        step -= steps_.size;
        for (std::uint64_t i = begin; i < end; ++i)
          output[step + i] = upstream[step + i] + a[later + i] * output[later + i];
      }
    });
  }

 private:
  Steps steps_;
};

TENON_CAPSULES capsules =
    plugin::join(both<"scaled_dot_product_attention", ScaledDotProductAttention>, both<"selective_scan", SelectiveScan>,
                 both<"selective_scan_grad", SelectiveScanGrad>);

}  // namespace
}  // namespace tenon::cpu::reference
