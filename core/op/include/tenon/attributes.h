// attributes.h: what an operation is told besides its operands, fixed when a kernel is prepared.
//
// One small structural struct per kind, so that the typed layer can pass them as template arguments; a node stores the
// variant. Default-constructed means "the operation's default". each_field gives names and values: the plugin ABI, the
// text form and printed lines all derive from it.
#pragma once
#include <limits>
#include <string_view>
#include <type_traits>
#include <variant>

#include "tenon/message.h"

namespace tenon {

struct NoAttributes {
  friend constexpr bool operator==(const NoAttributes&, const NoAttributes&) = default;
};

/// reshape, broadcast: the shape wanted. In reshape one extent may be dyn: "whatever is left".
struct Target {
  Shape shape;
  friend constexpr bool operator==(const Target&, const Target&) = default;
};

/// permute: the source axis of each result axis.
struct Order {
  Shape axes;
  friend constexpr bool operator==(const Order&, const Order&) = default;
};

/// Reductions: which axes go (none named: all), and whether they stay with extent 1.
struct Axes {
  Shape axes;
  bool keep_dims = false;
  friend constexpr bool operator==(const Axes&, const Axes&) = default;
};

/// concat, gather, scatter_add: the axis concerned; negative ones count from the end.
struct Axis {
  Extent axis = 0;
  friend constexpr bool operator==(const Axis&, const Axis&) = default;
};

/// slice: elements start .. stop-1 of an axis, as in Python: negative numbers count from the end, beyond it is the end.
struct Slice {
  Extent axis = 0, start = 0, stop = std::numeric_limits<Extent>::max();
  friend constexpr bool operator==(const Slice&, const Slice&) = default;
};

/// flatten: axes first to last, both included, become one.
struct Range {
  Extent first = 1, last = -1;
  friend constexpr bool operator==(const Range&, const Range&) = default;
};

/// unflatten: one axis becomes several; one of the new extents may be dyn: "whatever is left".
struct Split {
  Extent axis = -1;
  Shape shape;
  friend constexpr bool operator==(const Split&, const Split&) = default;
};

/// scale
struct Factor {
  double factor = 1;
  friend constexpr bool operator==(const Factor&, const Factor&) = default;
};

/// clamp
struct Bounds {
  double low = -std::numeric_limits<double>::infinity(), high = std::numeric_limits<double>::infinity();
  friend constexpr bool operator==(const Bounds&, const Bounds&) = default;
};

/// gelu: x (1 + erf(x / sqrt 2)) / 2, or its approximation by tanh.
struct GeluForm {
  bool tanh = false;
  friend constexpr bool operator==(const GeluForm&, const GeluForm&) = default;
};

/// layer_norm, batch_norm: added to the variance.
struct Epsilon {
  double epsilon = 1e-5;
  friend constexpr bool operator==(const Epsilon&, const Epsilon&) = default;
};

/// safe_log: added before the logarithm.
struct LogEpsilon {
  double epsilon = 1e-6;
  friend constexpr bool operator==(const LogEpsilon&, const LogEpsilon&) = default;
};

/// conv, conv_transpose: a number for each spatial axis, or none at all: stride 1, padding 0, dilation 1.
struct Window {
  Shape stride{}, padding{}, dilation{};
  Extent groups = 1;
  friend constexpr bool operator==(const Window&, const Window&) = default;
};

/// Pooling: a kernel extent for each spatial axis; no stride means the kernel's, no padding means 0.
struct Pool {
  Shape kernel{}, stride{}, padding{};
  friend constexpr bool operator==(const Pool&, const Pool&) = default;
};

/// smooth_max_pool
struct SmoothPool {
  Shape kernel{}, stride{}, padding{};
  double beta = 1;
  friend constexpr bool operator==(const SmoothPool&, const SmoothPool&) = default;
};

/// fill
struct Constant {
  Shape shape;
  double value = 0;
  friend constexpr bool operator==(const Constant&, const Constant&) = default;
};

/// rand_uniform: [0, 1).
struct Sized {
  Shape shape;
  friend constexpr bool operator==(const Sized&, const Sized&) = default;
};

/// bernoulli_mask: 1 with probability keep.
struct Keep {
  Shape shape;
  double keep = 0.5;
  friend constexpr bool operator==(const Keep&, const Keep&) = default;
};

/// init_uniform: [low, high).
struct Interval {
  Shape shape;
  double low = 0, high = 1;
  friend constexpr bool operator==(const Interval&, const Interval&) = default;
};

/// init_normal
struct Gaussian {
  Shape shape;
  double mean = 0, std = 1;
  friend constexpr bool operator==(const Gaussian&, const Gaussian&) = default;
};

/// momentum; PyTorch's SGD with momentum, dampening 0.
struct Momentum {
  double momentum = 0.9;
  friend constexpr bool operator==(const Momentum&, const Momentum&) = default;
};

/// adagrad; the rate of step n is rate / (1 + (n - 1) * rate_decay).
struct Adagrad {
  double rate_decay = 0, epsilon = 1e-10, decay = 0;
  friend constexpr bool operator==(const Adagrad&, const Adagrad&) = default;
};

/// rmsprop, without momentum and not centred; alpha smooths the squares.
struct Rmsprop {
  double alpha = 0.99, epsilon = 1e-8, decay = 0;
  friend constexpr bool operator==(const Rmsprop&, const Rmsprop&) = default;
};

/// adadelta
struct Adadelta {
  double rho = 0.9, epsilon = 1e-6, decay = 0;
  friend constexpr bool operator==(const Adadelta&, const Adadelta&) = default;
};

/// adam, adamw; decay is PyTorch's weight_decay (0 by default for adam; a session passes 0.01 for adamw).
struct Moments {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0;
  friend constexpr bool operator==(const Moments&, const Moments&) = default;
};

// The fields, in the order in which they are printed. Visitors take (std::string_view name, field&) where a field is a
// Shape, an Extent, a double or a bool. A field's name is the same in every kind that has it.
template <class A, class Visit>
constexpr void each_field(A& a, Visit visit) {
#define TENON_FIELD(field) \
  if constexpr (requires { a.field; }) visit(#field, a.field);
  TENON_FIELD(shape)
  TENON_FIELD(axes)
  TENON_FIELD(keep_dims)
  TENON_FIELD(axis)
  TENON_FIELD(start)
  TENON_FIELD(stop)
  TENON_FIELD(first)
  TENON_FIELD(last)
  TENON_FIELD(kernel)
  TENON_FIELD(stride)
  TENON_FIELD(padding)
  TENON_FIELD(dilation)
  TENON_FIELD(groups)
  TENON_FIELD(factor)
  TENON_FIELD(value)
  TENON_FIELD(keep)
  TENON_FIELD(low)
  TENON_FIELD(high)
  TENON_FIELD(mean)
  TENON_FIELD(std)
  TENON_FIELD(tanh)
  TENON_FIELD(momentum)
  TENON_FIELD(alpha)
  TENON_FIELD(rho)
  TENON_FIELD(beta)
  TENON_FIELD(beta1)
  TENON_FIELD(beta2)
  TENON_FIELD(rate_decay)
  TENON_FIELD(epsilon)
  TENON_FIELD(decay)
#undef TENON_FIELD
}

/// A struct, not an alias: compilers print its short name.
struct Attributes : std::variant<NoAttributes, Target, Order, Axes, Axis, Slice, Range, Split, Factor, Bounds, GeluForm,
                                 Epsilon, LogEpsilon, Window, Pool, SmoothPool, Constant, Sized, Keep, Interval,
                                 Gaussian, Momentum, Moments, Adagrad, Rmsprop, Adadelta> {
  using variant::variant;
  constexpr const variant& base() const { return *this; }
};

/// Calls visit(name, field, default) for each field of `attributes`, which holds the same kind as `defaults`.
template <class Visit>
constexpr void for_each_pair(const Attributes& attributes, const Attributes& defaults, Visit visit) {
  std::visit(
      [&]<class A>(const A& given) {
        const A& standard = std::get<A>(defaults.base());
        each_field(given, [&](std::string_view name, const auto& field) {
          // The same visit over the default finds the field of the same name.
          each_field(standard, [&](std::string_view other, const auto& default_field) {
            if constexpr (std::is_same_v<decltype(field), decltype(default_field)>)
              if (name == other) visit(name, field, default_field);
          });
        });
      },
      attributes.base());
}

}  // namespace tenon
