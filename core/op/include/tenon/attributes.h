// attributes.h: what an operation is told besides its operands, fixed when a kernel is prepared.
//
// One small structural struct per kind, so that the typed layer can pass them as template arguments; a node stores the
// variant. Default-constructed means "the operation's default". each_field gives names and values: the plugin ABI, the
// text form and printed lines all derive from it.
#pragma once
#include <concepts>
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

/// scale
struct Factor {
  double factor = 1;
  friend constexpr bool operator==(const Factor&, const Factor&) = default;
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

/// adam, adamw; decay is PyTorch's weight_decay (0 by default for adam; a session passes 0.01 for adamw).
struct Moments {
  double beta1 = 0.9, beta2 = 0.999, epsilon = 1e-8, decay = 0;
  friend constexpr bool operator==(const Moments&, const Moments&) = default;
};

// The fields, in the order in which they are printed. Visitors take (std::string_view name, field&) where a field is a
// Shape, a double or a bool.
template <class A, class Visit>
constexpr void each_field(A& attributes, Visit visit) {
  using Kind = std::remove_const_t<A>;
  auto& a = attributes;
  if constexpr (requires { a.shape; }) visit("shape", a.shape);
  if constexpr (requires { a.axes; }) visit("axes", a.axes);
  if constexpr (std::same_as<Kind, Axes>) visit("keep_dims", a.keep_dims);
  if constexpr (std::same_as<Kind, Factor>) visit("factor", a.factor);
  if constexpr (std::same_as<Kind, Constant>) visit("value", a.value);
  if constexpr (std::same_as<Kind, Keep>) visit("keep", a.keep);
  if constexpr (std::same_as<Kind, Interval>) visit("low", a.low), visit("high", a.high);
  if constexpr (std::same_as<Kind, Gaussian>) visit("mean", a.mean), visit("std", a.std);
  if constexpr (std::same_as<Kind, Momentum>) visit("momentum", a.momentum);
  if constexpr (std::same_as<Kind, Moments>)
    visit("beta1", a.beta1), visit("beta2", a.beta2), visit("epsilon", a.epsilon), visit("decay", a.decay);
}

/// A struct, not an alias: compilers print its short name.
struct Attributes : std::variant<NoAttributes, Target, Order, Axes, Factor, Constant, Sized, Keep, Interval, Gaussian,
                                 Momentum, Moments> {
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
