// Layout operations: the same elements in another arrangement. No arithmetic, so nothing can round.
#include <cstring>
#include <limits>

#include "provider.h"
#include "walk.h"

namespace tenon::cpu::reference {
namespace {

/// The same elements under another shape.
template <class T>
class Renaming {
 public:
  using dtypes = T(T);
  static constexpr bool in_place = true;  // and then there is nothing to do

  explicit Renaming(const SignatureView& signature) : bytes_(signature.output().bytes()) {
    if (signature.operand(0).bytes() != bytes_) {
      plugin::refuse("[", signature.op(), "] x ", signature.operand(0).shape(), " to ", signature.output().shape(),
                     ": different numbers of elements");
    }
  }

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    if (bytes_ != 0 && output != x) std::memmove(output, x, bytes_);
  }

 private:
  std::uint64_t bytes_;
};

template <class T>
struct Reshape : Renaming<T> {
  using Renaming<T>::Renaming;
  static constexpr auto attributes = plugin::names("shape");
};
template <class T>
struct Flatten : Renaming<T> {
  using Renaming<T>::Renaming;
  static constexpr auto attributes = plugin::names("first", "last");
};
template <class T>
struct Unflatten : Renaming<T> {
  using Renaming<T>::Renaming;
  static constexpr auto attributes = plugin::names("axis", "shape");
};

/// Each element of the result, in order, from the place in x that a walk names. Rows of the result share one stride.
template <class T>
class Rearrangement {
 public:
  using dtypes = T(T);

  void operator()(const Arguments& arguments) const {
    if (length_ == 0) return;
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(length_);
    plugin::for_ranges(rows_.count(), grain, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t row = begin; row < end; ++row) copy_row(output + row * length_, x + rows_.offset(row));
    });
  }

 protected:
  /// `strides` of x, one per axis of the result.
  Rearrangement(std::span<const std::int64_t> shape, std::span<const std::int64_t> strides) {
    if (shape.empty()) return;
    const std::size_t last = shape.size() - 1;
    for (std::size_t axis = 0; axis < last; ++axis) rows_.push_back(shape[axis], strides[axis]);
    length_ = static_cast<std::uint64_t>(shape[last]);
    stride_ = strides[last];
  }

 private:
  void copy_row(T* output, const T* x) const {
    for (std::uint64_t i = 0; i < length_; ++i) output[i] = x[static_cast<std::int64_t>(i) * stride_];
  }
  Walk rows_;
  std::uint64_t length_ = 1;
  std::int64_t stride_ = 0;
};

/// Result axis i is x's axis axes[i].
template <class T>
class Permute : public Rearrangement<T> {
 public:
  static constexpr auto attributes = plugin::names("axes");
  explicit Permute(const SignatureView& signature)
      : Rearrangement<T>(signature.output().shape(), permuted_strides(signature)) {}

 private:
  static std::vector<std::int64_t> permuted_strides(const SignatureView& signature) {
    const TensorView x = signature.operand(0);
    const auto axes = signature.integers("axes");
    if (axes.size() != x.rank()) {
      plugin::refuse("[permute] x ", x.shape(), ": ", axes.size(), " axes named, expected ", x.rank());
    }
    const std::vector<std::int64_t> of_x = dense_strides(x.shape());
    std::vector<std::int64_t> strides;
    for (const std::int64_t named : axes) {
      const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(x.rank()) : named);
      if (axis >= x.rank()) plugin::refuse("[permute] axis ", named, " of x ", x.shape());
      if (x.extent(axis) != signature.output().extent(strides.size())) {
        plugin::refuse("[permute] x ", x.shape(), " by ", axes, " is not ", signature.output().shape());
      }
      strides.push_back(of_x[axis]);
    }
    return strides;
  }
};

/// Axes of extent 1, and missing leading ones, are read again and again: stride 0.
template <class T>
class Broadcast : public Rearrangement<T> {
 public:
  static constexpr auto attributes = plugin::names("shape");
  explicit Broadcast(const SignatureView& signature)
      : Rearrangement<T>(signature.output().shape(), broadcast_strides(signature.operand(0), signature.output())) {}

 private:
  static std::vector<std::int64_t> broadcast_strides(const TensorView& x, const TensorView& output) {
    if (x.rank() > output.rank()) plugin::refuse("[broadcast] x ", x.shape(), " to ", output.shape());
    const std::vector<std::int64_t> of_x = dense_strides(x.shape());
    const std::size_t missing = output.rank() - x.rank();
    std::vector<std::int64_t> strides(output.rank(), 0);
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      if (x.extent(axis) == 1) continue;
      if (x.extent(axis) != output.extent(missing + axis)) {
        plugin::refuse("[broadcast] x ", x.shape(), " to ", output.shape());
      }
      strides[missing + axis] = of_x[axis];
    }
    return strides;
  }
};

/// A tensor as blocks along one axis: `outer` of them, each of `extent` runs of `inner` elements.
struct Blocks {
  std::uint64_t outer = 1, extent = 1, inner = 1;

  Blocks(const TensorView& tensor, std::size_t axis) : extent(static_cast<std::uint64_t>(tensor.extent(axis))) {
    for (std::size_t i = 0; i < tensor.rank(); ++i) {
      if (i != axis) (i < axis ? outer : inner) *= static_cast<std::uint64_t>(tensor.extent(i));
    }
  }
  std::uint64_t elements() const { return outer * extent * inner; }
};

/// The attribute `axis` of operand 0, counted from the front.
std::size_t axis_of(const SignatureView& signature) {
  const std::int64_t named = signature.integer("axis", 0);
  const auto rank = static_cast<std::int64_t>(signature.operand(0).rank());
  if (named < -rank || named >= rank) plugin::refuse("[", signature.op(), "] axis ", named, ", rank ", rank);
  return static_cast<std::size_t>(named < 0 ? named + rank : named);
}

/// The C library's functions may not be given null, not even for nothing.
template <class T>
void copy_elements(T* to, const T* from, std::uint64_t count) {
  if (count != 0) std::memcpy(to, from, count * sizeof(T));
}

template <class T>
class Concat {
 public:
  using dtypes = T(T, T);
  static constexpr auto attributes = plugin::names("axis");

  explicit Concat(const SignatureView& signature)
      : left_(signature.operand(0), axis_of(signature)), right_(right_of(signature)) {
    if (signature.output().elements() != left_.elements() + right_.elements()) {
      plugin::refuse("[concat] left ", signature.operand(0).shape(), ", right ", signature.operand(1).shape(), " to ",
                     signature.output().shape());
    }
  }

  void operator()(const Arguments& arguments) const {
    const T *left = arguments.operand<T>(0), *right = arguments.operand<T>(1);
    T* output = arguments.output<T>();
    const std::uint64_t first = left_.extent * left_.inner, second = right_.extent * right_.inner;
    if (first + second == 0) return;
    const auto grain = rows_per_range(first + second);
    plugin::for_ranges(left_.outer, grain, [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t block = begin; block < end; ++block) {
        T* to = output + block * (first + second);
        copy_elements(to, left + block * first, first);
        copy_elements(to + first, right + block * second, second);
      }
    });
  }

 private:
  /// Right's blocks, which must be as many and as wide as left's.
  static Blocks right_of(const SignatureView& signature) {
    const TensorView left = signature.operand(0), right = signature.operand(1);
    const std::size_t axis = axis_of(signature);
    if (right.rank() == left.rank()) {
      const Blocks of_left(left, axis), of_right(right, axis);
      if (of_left.outer == of_right.outer && of_left.inner == of_right.inner) return of_right;
    }
    plugin::refuse("[concat] left ", left.shape(), ", right ", right.shape(), " along axis ", axis);
  }
  Blocks left_, right_;
};

/// Elements start .. stop-1 of an axis; numbers below 0 count from the end, and beyond an end is that end.
template <class T>
class Slice {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = plugin::names("axis", "start", "stop");

  explicit Slice(const SignatureView& signature)
      : x_(signature.operand(0), axis_of(signature)), taken_(taken_of(signature)) {
    const auto extent = static_cast<std::int64_t>(x_.extent);
    const auto place = [=](std::int64_t at) { return std::clamp(at < 0 ? at + extent : at, std::int64_t{0}, extent); };
    const std::int64_t start = place(signature.integer("start", 0));
    const std::int64_t stop = place(signature.integer("stop", std::numeric_limits<std::int64_t>::max()));
    start_ = static_cast<std::uint64_t>(start);
    if (taken_.extent != static_cast<std::uint64_t>(std::max(stop - start, std::int64_t{0})) ||
        taken_.outer != x_.outer || taken_.inner != x_.inner) {
      plugin::refuse("[slice] x ", signature.operand(0).shape(), " from ", start, " to ", stop, " is not ",
                     signature.output().shape());
    }
  }

  void operator()(const Arguments& arguments) const {
    const std::uint64_t count = taken_.extent * taken_.inner, stride = x_.extent * x_.inner;
    if (count == 0) return;
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const std::uint64_t skipped = start_ * x_.inner;
    plugin::for_ranges(x_.outer, rows_per_range(count), [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t block = begin; block < end; ++block) {
        copy_elements(output + block * count, x + block * stride + skipped, count);
      }
    });
  }

 private:
  static Blocks taken_of(const SignatureView& signature) {
    const TensorView x = signature.operand(0), output = signature.output();
    if (output.rank() != x.rank()) plugin::refuse("[slice] x ", x.shape(), " is not ", output.shape());
    return {output, axis_of(signature)};
  }
  Blocks x_, taken_;
  std::uint64_t start_ = 0;
};

using Number = std::uint32_t;

/// An axis of x and what indexes it; `picked` is the operand or result that has the indices' axes in the axis's place.
class IndexedAxis {
 public:
  IndexedAxis(const SignatureView& signature, std::uint32_t indices, const TensorView& picked)
      : axis_(axis_of(signature)),
        x_(signature.operand(0), axis_),
        count_(signature.operand(indices).elements()),
        op_(signature.op()) {
    if (picked.elements() != x_.outer * count_ * x_.inner) {
      plugin::refuse("[", op_, "] x ", signature.operand(0).shape(), ", indices ", signature.operand(indices).shape(),
                     ", picked ", picked.shape());
    }
  }
  const Blocks& x() const { return x_; }
  std::uint64_t count() const { return count_; }

  /// Before anything is read or written with an index.
  void check(const Number* indices) const {
    for (std::uint64_t i = 0; i < count_; ++i) {
      if (indices[i] < x_.extent) continue;
      plugin::refuse("[", op_, "] indices: element ", i, " is ", indices[i], ", but axis ", axis_, " of x has size ",
                     x_.extent);
    }
  }

 private:
  std::size_t axis_;
  Blocks x_;
  std::uint64_t count_;
  std::string op_;
};

template <class T>
class Gather {
 public:
  using dtypes = T(T, Number);
  static constexpr auto attributes = plugin::names("axis");

  explicit Gather(const SignatureView& signature) : axis_(signature, 1, signature.output()) {}

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    const Number* indices = arguments.operand<Number>(1);
    axis_.check(indices);
    const std::uint64_t count = axis_.count(), extent = axis_.x().extent, inner = axis_.x().inner;
    if (inner == 0) return;
    T* output = arguments.output<T>();
    plugin::for_ranges(axis_.x().outer * count, rows_per_range(inner), [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t i = begin; i < end; ++i) {
        copy_elements(output + i * inner, x + (i / count * extent + indices[i % count]) * inner, inner);
      }
    });
  }

 private:
  IndexedAxis axis_;
};

/// (x, values, indices): x, then each value added at its index, in the order of the indices.
template <class T>
class ScatterAdd {
 public:
  using dtypes = T(T, T, Number);
  static constexpr auto attributes = plugin::names("axis");
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);

  explicit ScatterAdd(const SignatureView& signature) : axis_(signature, 2, signature.operand(1)) {}

  void operator()(const Arguments& arguments) const {
    const Number* indices = arguments.operand<Number>(2);
    axis_.check(indices);
    const Blocks& blocks = axis_.x();
    T* output = arguments.output<T>();
    copy_elements(output, arguments.operand<T>(0), blocks.elements());
    const T* values = arguments.operand<T>(1);
    const std::uint64_t count = axis_.count(), inner = blocks.inner, extent = blocks.extent;
    if (count * inner == 0) return;
    plugin::for_ranges(blocks.outer, rows_per_range(count * inner), [=](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t block = begin; block < end; ++block) {
        add_block(output + block * extent * inner, values + block * count * inner, indices, count, inner);
      }
    });
  }
  std::uint64_t flops() const { return axis_.x().outer * axis_.count() * axis_.x().inner; }

 private:
  static void add_block(T* output, const T* values, const Number* indices, std::uint64_t count, std::uint64_t inner) {
    for (std::uint64_t i = 0; i < count; ++i) {
      T* to = output + indices[i] * inner;
      for (std::uint64_t j = 0; j < inner; ++j) to[j] += values[i * inner + j];
    }
  }
  IndexedAxis axis_;
};

TENON_CAPSULES capsules = plugin::join(both<"reshape", Reshape>, both<"flatten", Flatten>, both<"unflatten", Unflatten>,
                                       both<"permute", Permute>, both<"broadcast", Broadcast>, both<"concat", Concat>,
                                       both<"slice", Slice>, both<"gather", Gather>, both<"scatter_add", ScatterAdd>);

}  // namespace
}  // namespace tenon::cpu::reference
