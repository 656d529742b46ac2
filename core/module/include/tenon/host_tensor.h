// host_tensor.h: numbers in host memory with a typed shape: HostTensor<float, batch, 64>. A value that owns its
// elements, row-major. Real ones are float or double; natural ones (labels, token ids, indices) are stored as Natural.
#pragma once
#include <cassert>
#include <ostream>

#include "tenon/draw.h"
#include "tenon/host_tensor_text.h"
#include "tenon/tensor.h"

namespace tenon {

using Natural = std::uint32_t;

/// A whole number of any width as a Natural; `context` begins the message if it is none.
template <std::integral Integer>
result<Natural> nat_to_u32_checked(std::string_view context, Integer n) {
  if (std::in_range<Natural>(n)) return static_cast<Natural>(n);
  return fail(Reason::INVALID_ARGUMENT, "[" + std::string(context) + "] found " + std::to_string(n) +
                                            ", expected a natural number of at most 4294967295");
}

namespace detail {

/// The shape that `count` elements fill, where at most one extent is unknown.
inline result<Shape> filled_shape(Shape shape, std::size_t count) {
  const auto given = static_cast<Extent>(count);
  const Extent known = known_elements(shape);
  const auto unknown = std::ranges::find_if_not(shape.extents(), is_known);
  const std::string words = "[host_tensor] " + std::to_string(count) + " elements do not fill " + to_string(shape);
  constexpr const char* hint = "give the shape too: of_shape";
  if (count_dyn(shape) + count_named(shape) > 1)
    return fail(Reason::SHAPE_MISMATCH, words + ": several extents are unknown", hint);
  if (!is_static(shape) && known == 0 && given == 0)
    return fail(Reason::SHAPE_MISMATCH, words + ": any extent would do", hint);
  const bool fills = is_static(shape) ? given == known : known > 0 && given % known == 0;
  if (!fills) return fail(Reason::SHAPE_MISMATCH, words);
  if (!is_static(shape)) *unknown = given / known;
  return shape;
}

/// Refuses a shape that is none of `promised`, and another number of elements than it has.
inline result<void> check_shape(const Shape& shape, const Shape& promised, std::size_t count) {
  const std::optional<Extent> wanted = checked_elements(shape);
  if (!wanted || !keeps(shape, promised))
    return fail(Reason::SHAPE_MISMATCH,
                "[host_tensor] found shape " + to_string(shape) + ", expected " + to_string(promised));
  if (*wanted == static_cast<Extent>(count)) return {};
  return fail(Reason::SHAPE_MISMATCH, "[host_tensor] found " + std::to_string(count) + " elements, expected " +
                                          std::to_string(*wanted) + " for " + to_string(shape));
}

}  // namespace detail

template <class Scalar, Shape S>
class HostTensorOf {
 public:
  static_assert(std::same_as<Scalar, float> || std::same_as<Scalar, double> || std::same_as<Scalar, Natural>,
                "[host_tensor] elements are float, double or Natural");
  static constexpr bool is_natural = std::same_as<Scalar, Natural>;
  static constexpr OperandType type{is_natural ? Kind::natural : Kind::real, S};

  /// Row-major; an unknown extent takes what is left of them.
  static result<HostTensorOf> of(std::vector<Scalar> values) {
    TENON_TRY(const Shape shape, detail::filled_shape(S, values.size()));
    return HostTensorOf(shape, std::move(values));
  }
  static result<HostTensorOf> of(std::initializer_list<Scalar> values) { return of(std::vector<Scalar>(values)); }

  /// Whole numbers of another width: each must be a natural number of 32 bits.
  template <std::ranges::input_range Numbers>
  requires(is_natural&& std::integral<std::ranges::range_value_t<Numbers>> &&
           !std::same_as<std::ranges::range_value_t<Numbers>, Natural>) static result<HostTensorOf> of(const Numbers&
                                                                                                           numbers) {
    std::vector<Natural> values;
    for (const auto number : numbers) {
      TENON_TRY(const Natural value, nat_to_u32_checked("host_tensor", number));
      values.push_back(value);
    }
    return of(std::move(values));
  }

  /// Where several extents are unknown.
  static result<HostTensorOf> of_shape(const Shape& shape, std::vector<Scalar> values) {
    TENON_CHECK(detail::check_shape(shape, S, values.size()));
    return HostTensorOf(shape, std::move(values));
  }

  /// The caller knows that `shape` is one of S and has as many elements as `values`.
  HostTensorOf(const Shape& shape, std::vector<Scalar> values) : shape_(shape), values_(std::move(values)) {
    assert(detail::check_shape(shape_, S, values_.size()));
  }

  const Shape& shape() const { return shape_; }
  std::span<const Scalar> values() const { return values_; }
  std::span<Scalar> values() { return values_; }

  /// One index for each axis, within its extent.
  template <std::integral... Index>
  requires(sizeof...(Index) == S.rank) Scalar& operator()(Index... index) { return values_[offset(index...)]; }
  template <std::integral... Index>
  requires(sizeof...(Index) == S.rank) const Scalar& operator()(Index... index) const {
    return values_[offset(index...)];
  }

  /// The same shape and equal elements; NaN equals nothing.
  friend bool operator==(const HostTensorOf&, const HostTensorOf&) = default;

  /// "(2, 2) [[0, 1], [1, 0]]"; of long axes the beginning and the end.
  friend std::ostream& operator<<(std::ostream& out, const HostTensorOf& tensor) {
    return out << detail::tensor_text<Scalar>(tensor.shape_, tensor.values_);
  }

 private:
  std::size_t offset(std::integral auto... index) const {
    std::size_t offset = 0;
    [[maybe_unused]] int axis = 0;
    const auto step = [&](auto i) {
      assert(std::cmp_greater_equal(i, 0) && std::cmp_less(i, shape_[axis]));
      offset = offset * static_cast<std::size_t>(shape_[axis++]) + static_cast<std::size_t>(i);
    };
    (step(index), ...);
    return offset;
  }

  Shape shape_;
  std::vector<Scalar> values_;
};

template <class Scalar, Extent... E>
using HostTensor = HostTensorOf<Scalar, Shape{E...}>;

/// The same real numbers in another width, rounded to nearest.
template <class To, class From, Shape S>
HostTensorOf<To, S> cast_tensor(const HostTensorOf<From, S>& tensor) {
  static_assert(std::floating_point<To> && std::floating_point<From>,
                "[cast_tensor] natural numbers are never converted to real ones, nor back");
  return {tensor.shape(), std::vector<To>(tensor.values().begin(), tensor.values().end())};
}

/// The values of an initialiser, each rounded once.
template <class Scalar, Shape S>
result<HostTensorOf<Scalar, S>> host_tensor_of(const FloatInit& scheme) {
  static_assert(is_static(S) && checked_elements(S), "[host_tensor_of] expected known extents");
  std::vector<Scalar> values(static_cast<std::size_t>(dim_product(S)));
  TENON_CHECK(draw(scheme, values));
  return HostTensorOf<Scalar, S>(S, std::move(values));
}

}  // namespace tenon
