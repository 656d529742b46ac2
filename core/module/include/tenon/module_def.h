// module_def.h: the definition of a module: two programs, the lists of what they take, and how parameters begin.
//
// A ModuleDef is a constexpr value that holds no parameters; sessions are made from it (to_program). `define<Model>()`
// makes one of a model struct, `define<Params, Inputs, NatInputs>(forward, loss)` of two functions.
#pragma once
#include <string>

#include "tenon/default_plan.h"
#include "tenon/program.h"

namespace tenon {

/// What the forward program gives, and how many inputs of each list it takes: the first ones, without targets.
struct Output {
  Shape shape;
  std::size_t reals = 0;
  std::size_t naturals = 0;
  friend constexpr bool operator==(const Output&, const Output&) = default;
};

using ProgramFunction = Value (*)(const ProgramArguments&);

namespace detail {

/// Is it that parameter, or one of that layer?
constexpr bool is_within(std::string_view parameter, std::string_view layer) {
  return parameter == layer || (parameter.starts_with(layer) && parameter.substr(layer.size()).starts_with('.'));
}

template <ShapeList L, Text name>
inline constexpr Message unknown_layer = [] {
  for (const Param& p : L::list)
    if (is_within(p.name.view(), name.view())) return Message{};
  return unknown_name<L, name>;
}();

}  // namespace detail

template <ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList S = Shapes<>>
struct ModuleDef {
  using Params = P;
  using Inputs = I;
  using NatInputs = N;
  using States = S;
  static constexpr Output output = out;

  ProgramFunction forward;
  ProgramFunction loss;
  Plan<P> (*plan)(std::uint64_t seed);  // for who brings none
  std::array<bool, length<P>> requires_grad;

  /// The same module with one parameter, or all parameters of one layer, kept as they are: `freeze("fc1"_p)`.
  template <Text name>
  constexpr ModuleDef freeze(Key<name>) const {
    refuse<detail::unknown_layer<P, name>>();
    ModuleDef frozen = *this;
    for (std::size_t i = 0; i < length<P>; ++i)
      if (detail::is_within(P::list[i].name.view(), name.view())) frozen.requires_grad[i] = false;
    return frozen;
  }
};

namespace detail {

template <std::size_t n>
constexpr std::array<bool, n> all_true() {
  std::array<bool, n> flags{};
  flags.fill(true);
  return flags;
}

template <class R>
inline constexpr Message wrong_loss = [] {
  Message words;
  if constexpr (is_typed<R>) {
    if (R::type != OperandType{}) detail::operator<<(words << "[loss] found ", R::type) << ", expected a scalar ()";
  } else if (!Operand<R>) {
    words << "[loss] found no tensor, expected a scalar ()";
  }
  return words;
}();

template <class R>
inline constexpr Message wrong_forward = [] {
  Message words;
  if (TypedOperand<R> && !is_typed<R>) return words;  // Poison: refused already
  if constexpr (is_typed<R>)
    if (R::type.kind == Kind::real) return words;
  words << "[forward] found " << (is_typed<R> ? "natural numbers" : "no typed tensor") << ", expected real numbers";
  return words;
}();

template <class R>
consteval Shape result_shape() {
  if constexpr (is_typed<R>)
    return R::shape;
  else
    return {};
}

template <class R>
Value untyped(const R& result) {
  if constexpr (std::same_as<R, Poison>)
    return {};
  else
    return Value(result);
}

/// Hands out a program's inputs in the order of a signature.
class InputCursor {
 public:
  explicit InputCursor(const ProgramArguments& given) : given_(given) {}

  template <class A>
  A next() {
    if constexpr (A::type.kind == Kind::real)
      return A(given_.reals[real_++]);
    else
      return A(given_.naturals[natural_++]);
  }

 private:
  const ProgramArguments& given_;
  std::size_t real_ = 0, natural_ = 0;
};

template <class... A>
std::tuple<A...> typed_inputs(std::type_identity<std::tuple<A...>>, const ProgramArguments& given) {
  [[maybe_unused]] InputCursor cursor(given);
  return std::tuple<A...>{cursor.template next<A>()...};
}

// Models

/// Runs a method of a model whose parameters and states are those given.
template <class M, auto method>
Value call_model(const ProgramArguments& given) {
  M model;
  std::size_t parameter = 0, state = 0;
  for_each_leaf(model, [&]<class Leaf>(Leaf& leaf) {
    leaf.value = is_state<Leaf> ? given.states[state++] : given.parameters[parameter++];
  });
  const auto inputs = typed_inputs(std::type_identity<typename Signature<decltype(method)>::Arguments>{}, given);
  return std::apply([&](const auto&... input) { return untyped((std::as_const(model).*method)(input...)); }, inputs);
}

template <class M>
struct ForwardOf {
  using Types = Signature<decltype(&M::forward)>;
  static constexpr auto reals = arguments_of_kind<Kind::real>(std::type_identity<typename Types::Arguments>{});
  static constexpr auto naturals = arguments_of_kind<Kind::natural>(std::type_identity<typename Types::Arguments>{});
  static constexpr Output output{result_shape<typename Types::Result>(), reals.size(), naturals.size()};
};

constexpr void compare_inputs(Kind kind, std::span<const Param> forward, std::span<const Param> loss, Message& words) {
  for (std::size_t i = 0; i < forward.size() && words.empty(); ++i) {
    if (i < loss.size() && forward[i].shape == loss[i].shape) continue;
    words << "[forward] " << name(kind) << " input " << i << ": found " << forward[i].shape << ", expected ";
    if (i < loss.size())
      words << loss[i].shape << " as in loss";
    else
      words << "none, as in loss";
  }
}

/// forward's inputs are the first ones of loss's.
template <class M>
inline constexpr Message wrong_forward_inputs = [] {
  Message words;
  compare_inputs(Kind::real, ForwardOf<M>::reals, InputsOf<M>::list, words);
  compare_inputs(Kind::natural, ForwardOf<M>::naturals, NatInputsOf<M>::list, words);
  return words;
}();

// Positional programs

template <ShapeList L, std::size_t count>
struct First {
  static constexpr auto list = [] {
    std::array<Param, count> first;
    std::ranges::copy_n(L::list.begin(), count, first.begin());
    return first;
  }();
};

template <ShapeList L, Kind kind, std::size_t... i>
auto typed_list(std::index_sequence<i...>)
    -> std::tuple<std::conditional_t<kind == Kind::real, TensorOf<L::list[i].shape>, NaturalsOf<L::list[i].shape>>...>;
template <ShapeList L, Kind kind>
using TypedList = decltype(typed_list<L, kind>(std::make_index_sequence<length<L>>{}));

template <ShapeList L, std::size_t... i>
auto state_list(std::index_sequence<i...>) -> std::tuple<StateOf<L::list[i].shape>...>;
template <ShapeList L>
using StateList = decltype(state_list<L>(std::make_index_sequence<length<L>>{}));

template <class F, class Tuple>
struct Call {
  static constexpr bool fits = false;
};
template <class F, class... A>
requires std::is_invocable_v<F, A...>
struct Call<F, std::tuple<A...>> {
  static constexpr bool fits = true;
  using Result = std::invoke_result_t<F, A...>;
};

/// What a positional program is called with: parameters, states, real inputs, natural inputs.
template <ShapeList P, ShapeList S, ShapeList I, ShapeList N>
using Positional =
    decltype(std::tuple_cat(std::declval<TypedList<P, Kind::real>>(), std::declval<StateList<S>>(),
                            std::declval<TypedList<I, Kind::real>>(), std::declval<TypedList<N, Kind::natural>>()));

template <class Tuple>
Tuple typed_values(std::span<const Value> values) {
  return [&]<std::size_t... i>(std::index_sequence<i...>) {
    return Tuple{std::tuple_element_t<i, Tuple>(values[i])...};
  }
  (std::make_index_sequence<std::tuple_size_v<Tuple>>{});
}

template <class F, ShapeList P, ShapeList S, ShapeList I, ShapeList N>
Value call_positional(const ProgramArguments& given) {
  const auto all = std::tuple_cat(
      typed_values<TypedList<P, Kind::real>>(given.parameters), typed_values<StateList<S>>(given.states),
      typed_values<TypedList<I, Kind::real>>(given.reals), typed_values<TypedList<N, Kind::natural>>(given.naturals));
  return std::apply([](const auto&... a) { return untyped(F{}(a...)); }, all);
}

struct Takes {
  bool found = false;
  std::size_t reals = 0, naturals = 0;
};

/// How many inputs and natural inputs a forward program takes: the first numbers that fit, most first.
template <class F, ShapeList P, ShapeList S, ShapeList I, ShapeList N, std::size_t i = length<I>,
          std::size_t n = length<N>>
consteval Takes forward_takes() {
  if constexpr (Call<F, Positional<P, S, First<I, i>, First<N, n>>>::fits)
    return {true, i, n};
  else if constexpr (n > 0)
    return forward_takes<F, P, S, I, N, i, n - 1>();
  else if constexpr (i > 0)
    return forward_takes<F, P, S, I, N, i - 1>();
  else
    return {};
}

template <Text program, ShapeList P, ShapeList S, ShapeList I, ShapeList N>
inline constexpr Message wrong_arguments = [] {
  Message words;
  words << "[" << program.view() << "] takes other arguments: expected " << length<P> << " parameters, ";
  if (length < S >> 0) words << length<S> << " states, ";
  return words << length<I> << " inputs and " << length<N> << " natural inputs";
}();

}  // namespace detail

/// Of a model struct (model.h).
template <class M>
constexpr auto define() {
  static_assert(detail::HasForward<M>, "[model] forward: expected one const member function that takes typed tensors");
  static_assert(detail::HasLoss<M>, "[model] loss: expected one const member function that takes typed tensors");
  if constexpr (detail::HasForward<M> && detail::HasLoss<M>) {
    using Forward = detail::ForwardOf<M>;
    detail::check_names<ParamsOf<M>, StatesOf<M>>();
    refuse<detail::wrong_forward<typename Forward::Types::Result>>();
    refuse<detail::wrong_forward_inputs<M>>();
    refuse<detail::wrong_loss<typename detail::Signature<decltype(&M::loss)>::Result>>();
    return ModuleDef<ParamsOf<M>, InputsOf<M>, NatInputsOf<M>, Forward::output, StatesOf<M>>{
        detail::call_model<M, &M::forward>, detail::call_model<M, &M::loss>, default_plan<M>,
        detail::all_true<length<ParamsOf<M>>>()};
  }
}

/// Of two functions without captures: (parameters..., states..., inputs...) to the output, and (parameters...,
/// states..., inputs..., natural inputs...) to the loss.
template <ShapeList P, ShapeList I, ShapeList N, ShapeList S = Shapes<>, class Forward, class Loss>
constexpr auto define(Forward, Loss) {
  static_assert(std::is_empty_v<Forward> && std::is_empty_v<Loss>, "[define] programs capture nothing");
  detail::check_names<P, S>();
  constexpr detail::Takes takes = detail::forward_takes<Forward, P, S, I, N>();
  using ForwardInputs = detail::First<I, takes.reals>;
  using ForwardNaturals = detail::First<N, takes.naturals>;
  using ForwardCall = detail::Call<Forward, detail::Positional<P, S, ForwardInputs, ForwardNaturals>>;
  using LossCall = detail::Call<Loss, detail::Positional<P, S, I, N>>;
  if constexpr (!takes.found) {
    refuse<detail::wrong_arguments<"forward", P, S, I, N>>();
  } else if constexpr (!LossCall::fits) {
    refuse<detail::wrong_arguments<"loss", P, S, I, N>>();
  } else {
    using Result = typename ForwardCall::Result;
    refuse<detail::wrong_forward<Result>>();
    refuse<detail::wrong_loss<typename LossCall::Result>>();
    constexpr Output output{detail::result_shape<Result>(), takes.reals, takes.naturals};
    return ModuleDef<P, I, N, output, S>{detail::call_positional<Forward, P, S, ForwardInputs, ForwardNaturals>,
                                         detail::call_positional<Loss, P, S, I, N>, plain_plan<P>,
                                         detail::all_true<length<P>>()};
  }
}

}  // namespace tenon
