// default_plan.h: the plan of a module that was given none. Pure; any thread.
//
// Initialiser n of a module draws from next_seed(seed, n), whatever its kind: the seeds that `tenon train` gives to the
// same parameters.
#pragma once
#include "tenon/layers.h"
#include "tenon/plan.h"
#include "tenon/random.h"

namespace tenon {
namespace detail {

constexpr Scheme scheme_for(const Shape& shape) { return shape.rank >= 2 ? Scheme::kaiming_uniform : Scheme::zeros; }

/// Where a layer says nothing: kaiming_uniform for what has fans, zeros for the rest.
template <class M>
constexpr void list_schemes(Scheme*& next) {
  if constexpr (is_typed<M>) {
    if constexpr (!is_state<M>) *next++ = scheme_for(M::shape);
  } else if constexpr (requires { M::schemes; }) {
    static_assert(M::schemes.size() == length<ParamsOf<M>>, "[layer] schemes: expected one for each parameter");
    next = std::ranges::copy(M::schemes, next).out;
  } else if constexpr (is_std_array<M>) {
    for (std::size_t i = 0; i < std::tuple_size_v<M>; ++i) list_schemes<typename M::value_type>(next);
  } else {
    [&]<class... Member>(std::type_identity<std::tuple<Member&...>>) {
      (list_schemes<Member>(next), ...);
    }(std::type_identity<decltype(fields::tie(std::declval<M&>()))>{});
  }
}

template <class M>
inline constexpr auto schemes_of = [] {
  std::array<Scheme, length<ParamsOf<M>>> schemes{};
  Scheme* next = schemes.data();
  list_schemes<M>(next);
  return schemes;
}();

template <class M>
inline constexpr Message wrong_scheme = [] {
  Message words;
  for (std::size_t i = 0; i < length<ParamsOf<M>> && words.empty(); ++i) {
    const Param& p = ParamsOf<M>::list[i];
    const bool needs_fans = schemes_of<M>[i] == Scheme::kaiming_uniform || schemes_of<M>[i] == Scheme::xavier_uniform;
    if (!needs_fans || p.shape.rank >= 2) continue;
    describe(words << "[layer] ", i, p);
    words << ": its scheme needs fans, found rank " << p.shape.rank << ", expected 2 or more";
  }
  return words;
}();

/// Every scheme has the fans that it needs.
template <ShapeList L>
Plan<L> plan_of(std::span<const Scheme, length<L>> schemes, std::uint64_t seed) {
  std::array<FloatInit, length<L>> initializers;
  for (std::size_t i = 0; i < length<L>; ++i)
    initializers[i] = *of_scheme(schemes[i], L::list[i].shape, random::next_seed(seed, i));
  return *Plan<L>::of_array(initializers);
}

}  // namespace detail

/// The layers' own initialisers.
template <class M>
Plan<ParamsOf<M>> default_plan(std::uint64_t seed) {
  if constexpr (detail::wrong_scheme<M>.empty())
    return detail::plan_of<ParamsOf<M>>(detail::schemes_of<M>, seed);
  else
    refuse<detail::wrong_scheme<M>>();
}

/// For parameters without layers.
template <ShapeList L>
Plan<L> plain_plan(std::uint64_t seed) {
  std::array<Scheme, length<L>> schemes{};
  std::ranges::transform(L::list, schemes.begin(), [](const Param& p) { return detail::scheme_for(p.shape); });
  return detail::plan_of<L>(schemes, seed);
}

}  // namespace tenon
