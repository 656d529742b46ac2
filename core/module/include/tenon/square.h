// square.h: windows that are alike along every spatial axis: `Square{.padding = 1}`. A plain constexpr value.
#pragma once
#include "tenon/attributes.h"

namespace tenon {

/// One number for all spatial axes, where Window and Pool have one for each. Of convolutions the weight has the kernel.
struct Square {
  Extent kernel = 0;
  Extent stride = 0;  // 0: 1 for a convolution, the kernel for pooling
  Extent padding = 0;
  Extent dilation = 1;
  Extent groups = 1;
  friend constexpr bool operator==(const Square&, const Square&) = default;
};

namespace detail {

/// The number once for each axis; nothing where it is the one that holds anyway.
template <int axes>
constexpr Shape alike_on_axes(Extent number, Extent otherwise) {
  Shape list;
  for (int axis = 0; axis < axes && number != otherwise; ++axis) list.push_back(number);
  return list;
}

}  // namespace detail

template <int axes>
constexpr Window window_of(const Square& s) {
  return {.stride = detail::alike_on_axes<axes>(s.stride == 0 ? 1 : s.stride, 1),
          .padding = detail::alike_on_axes<axes>(s.padding, 0),
          .dilation = detail::alike_on_axes<axes>(s.dilation, 1),
          .groups = s.groups};
}
template <int axes>
constexpr Window window_of(const Window& window) {
  return window;
}

template <int axes>
constexpr Pool pool_of(const Square& s) {
  return {.kernel = detail::alike_on_axes<axes>(s.kernel, 0),
          .stride = detail::alike_on_axes<axes>(s.stride, 0),
          .padding = detail::alike_on_axes<axes>(s.padding, 0)};
}
template <int axes>
constexpr Pool pool_of(const Pool& pool) {
  return pool;
}

}  // namespace tenon
