// plan.h: how all parameters of a module begin: exactly one initialiser for each shape of a list, in its order.
//
// Initialisers are written in order, with names if one likes: `Plan<ParamsOf<Mlp>> plan{"fc1.weight"_p =
// init::kaiming_uniform(1), init::zeros(), ...}`. One too few, one too many, another order of names and fans that a
// shape has not do not compile. A Plan is a value that owns its initialisers.
#pragma once
#include "tenon/draw.h"
#include "tenon/init_builders.h"
#include "tenon/shapes.h"

namespace tenon {
namespace detail {

template <ShapeList L>
inline constexpr Message unknown_parameter_extent = [] {
  Message words;
  for (std::size_t i = 0; i < length<L> && words.empty(); ++i) {
    if (checked_elements(L::list[i].shape)) continue;
    describe(words << "[parameters] ", i, L::list[i]);
    words << ": expected known extents of at most 2^48 elements";
  }
  return words;
}();

template <ShapeList L, std::size_t given>
inline constexpr Message wrong_count = [] {
  Message words;
  if (given == length<L>) return words;
  words << "[plan] found " << given << " initializers, expected " << length<L>;
  if (given < length<L>) describe(words << "; none for ", given, L::list[given]);
  return words;
}();

template <ShapeList L, std::size_t index, Text given>
inline constexpr Message wrong_name = [] {
  Message words;
  if (L::list[index].name.view() == given.view()) return words;
  describe(words << "[plan] found an initializer for " << given.view() << ", expected ", index, L::list[index]);
  return words;
}();

template <ShapeList L, std::size_t index, class Init>
inline constexpr Message wrong_initializer = [] {
  Message words;
  const int rank = L::list[index].shape.rank;
  const bool convertible = std::convertible_to<Init, FloatInit>;
  if (convertible || (init::is_by_shape<Init> && rank >= 2)) return words;
  describe(words << "[plan] ", index, L::list[index]);
  if (init::is_by_shape<Init>)
    words << ": xavier and kaiming need fans, found rank " << rank << ", expected 2 or more";
  else
    words << ": found another type, expected an initializer";
  return words;
}();

template <class T>
inline constexpr bool is_plan = false;

}  // namespace detail

template <ShapeList L>
class Plan {
 public:
  static constexpr std::size_t size = length<L>;
  using Array = std::array<FloatInit, size>;

  template <class... Init>
  requires(sizeof...(Init) > 0 && !(detail::is_plan<Init> || ...)) Plan(Init... init) {
    check_list();
    if constexpr (sizeof...(Init) == size)
      fill(std::index_sequence_for<Init...>{}, std::move(init)...);
    else
      refuse<detail::wrong_count<L, sizeof...(Init)>>();
  }
  Plan() { refuse<detail::wrong_count<L, 0>>(); }

  /// A plan for another list of the same shapes.
  template <ShapeList Other>
  requires(!std::same_as<Other, L>) Plan(const Plan<Other>& other) {
    if constexpr (same_shapes<L, Other>)
      initializers_ = other.to_array();
    else
      refuse<detail::shapes_differ<L, Other>>();
  }

  /// For initialisers that are known at run time only; refuses another number of them.
  static result<Plan> of_array(std::span<const FloatInit> initializers) {
    check_list();
    if (initializers.size() != size)
      return fail(Reason::INVALID_ARGUMENT, "[plan] found " + std::to_string(initializers.size()) +
                                                " initializers, expected " + std::to_string(size));
    Plan plan{Unfilled{}};
    std::ranges::copy(initializers, plan.initializers_.begin());
    return plan;
  }

  /// Replaces one: `plan.set("fc1.bias"_p, init::ones())`.
  template <Text name, class Init>
  Plan& set(Key<name> key, Init init) {
    with_index<L>(key, [&](auto index) { put<index>(std::move(init)); });
    return *this;
  }

  /// As many as the list has shapes, in its order.
  const Array& to_array() const { return initializers_; }

  /// Refuses the first initialiser that could not give its parameter finite, well-defined values.
  result<void> validate() const {
    for (std::size_t i = 0; i < size; ++i) {
      auto valid = tenon::validate(initializers_[i], dim_product(L::list[i].shape));
      if (valid) continue;
      Message where;
      detail::describe(where << "[plan] ", i, L::list[i]);
      return fail(valid.error().reason, std::string(where.view()) + ": " + valid.error().text);
    }
    return {};
  }

 private:
  template <ShapeList Other>
  friend class Plan;

  struct Unfilled {};
  explicit Plan(Unfilled) {}

  static constexpr void check_list() {
    refuse<detail::unknown_parameter_extent<L>>();
    detail::check_names<L, Shapes<>>();
  }

  template <std::size_t... index, class... Init>
  void fill(std::index_sequence<index...>, Init... init) {
    (put<index>(std::move(init)), ...);
  }

  template <std::size_t index, Text name, class Init>
  void put(Named<name, Init> named) {
    if constexpr (detail::wrong_name<L, index, name>.empty())
      put<index>(std::move(named.value));
    else
      refuse<detail::wrong_name<L, index, name>>();
  }

  template <std::size_t index, class Init>
  void put(Init init) {
    if constexpr (!detail::wrong_initializer<L, index, Init>.empty())
      refuse<detail::wrong_initializer<L, index, Init>>();
    else if constexpr (init::is_by_shape<Init>)
      initializers_[index] = *init::for_shape(init, L::list[index].shape);  // has fans: checked above
    else
      initializers_[index] = std::move(init);
  }

  Array initializers_;

  static_assert(std::tuple_size_v<Array> == length<L>, "a plan has one initializer for each shape");
};

namespace detail {
template <ShapeList L>
inline constexpr bool is_plan<Plan<L>> = true;
}  // namespace detail

/// The plan of no parameters.
inline Plan<Shapes<>> nil() { return {}; }

/// The initialisers of `a`, then those of `b`.
template <ShapeList A, ShapeList B>
Plan<Appended<A, B>> append(const Plan<A>& a, const Plan<B>& b) {
  std::array<FloatInit, length<A> + length<B>> all;
  std::ranges::copy(b.to_array(), std::ranges::copy(a.to_array(), all.begin()).out);
  return *Plan<Appended<A, B>>::of_array(all);
}

/// One parameter more, in front: `cons<param("w1", 128, 64)>(init::kaiming_uniform(1), rest)`.
template <Param head, class Init, ShapeList Rest>
auto cons(Init init, const Plan<Rest>& rest) {
  return append(Plan<Shapes<head>>(std::move(init)), rest);
}

}  // namespace tenon
