// model.h: a model is a plain struct whose members are tensors, states or smaller models.
//
//   struct Mlp {
//     Linear<64, 128> fc1;
//     Linear<128, 10> fc2;
//     auto forward(Tensor<batch, 64> x) const { return fc2(relu(fc1(x))); }
//     auto loss(Tensor<batch, 64> x, Naturals<batch> label) const { return cross_entropy(forward(x), label); }
//   };
//
// Its parameters are its tensors, in order, named as in PyTorch: fc1.weight, fc1.bias, ... Elements of a std::array
// count: blocks.0.fc.weight. The arguments of `loss` are its inputs; `forward` takes the first ones of them. A model is
// made anew for each recording and holds nothing between two.
#pragma once
#include "tenon/fields.h"
#include "tenon/shapes.h"
#include "tenon/tensor.h"

namespace tenon {
namespace detail {

enum class MemberKind : std::uint8_t { parameter, state, array, model, other };

template <class T>
inline constexpr bool is_std_array = false;
template <class T, std::size_t n>
inline constexpr bool is_std_array<std::array<T, n>> = true;

template <class M>
consteval MemberKind member_kind() {
  if constexpr (is_state<M>)
    return MemberKind::state;
  else if constexpr (is_typed<M>)
    return M::type.kind == Kind::real ? MemberKind::parameter : MemberKind::other;
  else if constexpr (is_std_array<M>)
    return MemberKind::array;
  else
    return std::is_aggregate_v<M> && !std::is_array_v<M> ? MemberKind::model : MemberKind::other;
}

constexpr Name joined(std::string_view prefix, std::string_view name) {
  Message words;
  words << prefix << (prefix.empty() ? "" : ".") << name;
  return words.view();
}

constexpr Name joined(std::string_view prefix, std::size_t index) {
  Message words;
  words << index;
  return joined(prefix, words.view());
}

/// Calls visit(name, std::type_identity<Member>) for everything in M that holds no further members, in order.
template <class M, class Visit>
constexpr void for_each_member_type(std::string_view prefix, const Visit& visit) {
  if constexpr (member_kind<M>() == MemberKind::array) {
    for (std::size_t i = 0; i < std::tuple_size_v<M>; ++i)
      for_each_member_type<typename M::value_type>(joined(prefix, i).view(), visit);
  } else if constexpr (member_kind<M>() == MemberKind::model) {
    using Members = decltype(fields::tie(std::declval<M&>()));
    [&]<std::size_t... i>(std::index_sequence<i...>) {
      (for_each_member_type<std::remove_reference_t<std::tuple_element_t<i, Members>>>(
           joined(prefix, fields::name<M, i>()).view(), visit),
       ...);
    }
    (std::make_index_sequence<std::tuple_size_v<Members>>{});
  } else {
    visit(prefix, std::type_identity<M>{});
  }
}

/// Calls f on every tensor and state of a model, in order.
template <class M, class F>
constexpr void for_each_leaf(M& model, const F& f) {
  if constexpr (is_typed<M>)
    f(model);
  else if constexpr (member_kind<M>() == MemberKind::array)
    for (auto& element : model) for_each_leaf(element, f);
  else if constexpr (member_kind<M>() == MemberKind::model)
    std::apply([&](auto&... member) { (for_each_leaf(member, f), ...); }, fields::tie(model));
}

template <class M>
inline constexpr Message wrong_member = [] {
  Message words;
  for_each_member_type<M>("", [&]<class Member>(std::string_view name, std::type_identity<Member>) {
    if (member_kind<Member>() != MemberKind::other || !words.empty()) return;
    words << "[model] member " << name << ": found " << (is_typed<Member> ? "natural numbers" : "another type")
          << ", expected a tensor, a state, a model or a std::array of models";
  });
  return words;
}();

template <class M, MemberKind kind>
consteval std::size_t count_leaves() {
  std::size_t count = 0;
  for_each_member_type<M>(
      "", [&]<class Member>(std::string_view, std::type_identity<Member>) { count += member_kind<Member>() == kind; });
  return count;
}

template <class M, MemberKind kind>
consteval auto list_leaves() {
  std::array<Param, count_leaves<M, kind>()> list;
  Param* next = list.data();
  for_each_member_type<M>("", [&]<class Member>(std::string_view name, std::type_identity<Member>) {
    if constexpr (member_kind<Member>() == kind) *next++ = {name, Member::shape};
  });
  return list;
}

template <class M>
consteval auto list_initial_states() {
  std::array<double, count_leaves<M, MemberKind::state>()> list{};
  [[maybe_unused]] double* next = list.data();
  for_each_member_type<M>("", [&]<class Member>(std::string_view, std::type_identity<Member>) {
    if constexpr (is_state<Member>) *next++ = Member::initial;
  });
  return list;
}

/// Result and arguments of a const member function.
template <class F>
struct Signature;
template <class M, class R, class... A>
struct Signature<R (M::*)(A...) const> {
  using Result = R;
  using Arguments = std::tuple<std::remove_cvref_t<A>...>;
};
template <class M, class R, class... A>
struct Signature<R (M::*)(A...) const noexcept> : Signature<R (M::*)(A...) const> {};

template <class Tuple>
inline constexpr bool all_typed = false;
template <class... A>
inline constexpr bool all_typed<std::tuple<A...>> = (is_typed<A> && ...);

template <class M>
concept HasLoss = requires {
  requires all_typed<typename Signature<decltype(&M::loss)>::Arguments>;
};
template <class M>
concept HasForward = requires {
  requires all_typed<typename Signature<decltype(&M::forward)>::Arguments>;
};

template <Kind kind, class... A>
consteval auto arguments_of_kind(std::type_identity<std::tuple<A...>>) {
  std::array<Param, (std::size_t{A::type.kind == kind} + ... + 0)> list;
  [[maybe_unused]] Param* next = list.data();
  ((A::type.kind == kind ? static_cast<void>(*next++ = A::shape) : static_cast<void>(0)), ...);
  return list;
}

template <class M, Kind kind>
consteval auto list_inputs() {
  static_assert(HasLoss<M>, "[model] loss: expected one const member function that takes typed tensors");
  if constexpr (HasLoss<M>)
    return arguments_of_kind<kind>(std::type_identity<typename Signature<decltype(&M::loss)>::Arguments>{});
  else
    return std::array<Param, 0>{};
}

}  // namespace detail

template <class M>
struct ParamsOf {
  static constexpr auto list = [] {
    refuse<detail::wrong_member<M>>();
    return detail::list_leaves<M, detail::MemberKind::parameter>();
  }();
};

template <class M>
struct StatesOf {
  static constexpr auto list = detail::list_leaves<M, detail::MemberKind::state>();
  static constexpr auto initial = detail::list_initial_states<M>();
};

template <class M>
struct InputsOf {
  static constexpr auto list = detail::list_inputs<M, Kind::real>();
};

template <class M>
struct NatInputsOf {
  static constexpr auto list = detail::list_inputs<M, Kind::natural>();
};

}  // namespace tenon
