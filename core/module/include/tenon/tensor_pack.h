// tensor_pack.h: one tensor in host memory for each shape of a list: the parameters of a module, or their gradients.
// A value that owns its elements; `pack["fc1.weight"_p]` has the parameter's type.
#pragma once
#include "tenon/host_tensor.h"
#include "tenon/shapes.h"

namespace tenon {

template <class Scalar, ShapeList L>
class TensorPack {
 public:
  static constexpr std::size_t size = length<L>;
  using Arrays = std::array<std::vector<Scalar>, size>;

  /// Row-major elements of each tensor, in the list's order.
  static result<TensorPack> of_arrays(Arrays arrays) {
    for (std::size_t i = 0; i < size; ++i) {
      const auto expected = static_cast<std::size_t>(known_elements(L::list[i].shape));
      if (arrays[i].size() == expected) continue;
      Message words;
      detail::describe(words << "[parameters] ", i, L::list[i]);
      words << ": found " << arrays[i].size() << " elements, expected " << expected;
      return fail(Reason::SHAPE_MISMATCH, std::string(words.view()));
    }
    return TensorPack(std::move(arrays));
  }

  /// A copy of one tensor; a name that is not there does not compile.
  template <Text name>
  auto operator[](Key<name>) const {
    constexpr std::size_t index = detail::find_name(L::list, name.view());
    if constexpr (index == size) {
      refuse<detail::unknown_name<L, name>>();
      return Poison{};
    } else {
      return HostTensorOf<Scalar, L::list[index].shape>(L::list[index].shape, arrays_[index]);
    }
  }

  /// Replaces one tensor, by one of its shape.
  template <Text name, Shape S>
  TensorPack& set(Key<name> key, const HostTensorOf<Scalar, S>& tensor) {
    with_index<L>(key, [&](auto index) {
      constexpr OperandType wanted{Kind::real, L::list[index].shape}, given{Kind::real, S};
      if constexpr (wanted == given)
        arrays_[index].assign(tensor.values().begin(), tensor.values().end());
      else
        refuse<detail::no_conversion<wanted, given>>();
    });
    return *this;
  }

  /// In the list's order, for those who know the position only.
  const Arrays& arrays() const& { return arrays_; }
  /// The same to be written to: how many elements a tensor has stays as it is. Valid as long as the pack.
  std::array<std::span<Scalar>, size> arrays() & {
    std::array<std::span<Scalar>, size> spans;
    std::ranges::copy(arrays_, spans.begin());
    return spans;
  }

  /// Equal elements; NaN equals nothing.
  friend bool operator==(const TensorPack&, const TensorPack&) = default;

 private:
  explicit TensorPack(Arrays arrays) : arrays_(std::move(arrays)) {}

  Arrays arrays_;
};

/// Zeros for every shape: where gradients are summed up.
template <class Scalar, ShapeList L>
TensorPack<Scalar, L> zero_pack() {
  typename TensorPack<Scalar, L>::Arrays arrays;
  for (std::size_t i = 0; i < length<L>; ++i)
    arrays[i].resize(static_cast<std::size_t>(known_elements(L::list[i].shape)));
  return *TensorPack<Scalar, L>::of_arrays(std::move(arrays));
}

/// The same numbers in another width, rounded to nearest.
template <class To, class From, ShapeList L>
TensorPack<To, L> cast_pack(const TensorPack<From, L>& pack) {
  static_assert(std::floating_point<To>, "[cast_pack] parameters are real numbers");
  typename TensorPack<To, L>::Arrays arrays;
  for (std::size_t i = 0; i < length<L>; ++i) arrays[i].assign(pack.arrays()[i].begin(), pack.arrays()[i].end());
  return *TensorPack<To, L>::of_arrays(std::move(arrays));
}

}  // namespace tenon
