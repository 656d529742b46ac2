// Layout operations: the same elements in another arrangement. No arithmetic, so nothing can round.
#include <cstring>

#include "provider.h"
#include "walk.h"

namespace tenon::cpu::reference {
namespace {

template <class T>
class Reshape {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = plugin::names("shape");
  static constexpr bool in_place = true;  // and then there is nothing to do

  explicit Reshape(const SignatureView& signature) : bytes_(signature.output().bytes()) {
    if (signature.operand(0).bytes() != bytes_) {
      plugin::refuse("[reshape] x ", signature.operand(0).shape(), " to ", signature.output().shape(),
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

TENON_CAPSULES capsules =
    plugin::join(both<"reshape", Reshape>, both<"permute", Permute>, both<"broadcast", Broadcast>);

}  // namespace
}  // namespace tenon::cpu::reference
