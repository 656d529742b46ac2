// signatures.h: is a function of our table what the vendor's header says it is, as far as a call can tell: as many
// parameters, each of the same size and kind, and a status of 32 bits? Compile-time only.
#pragma once
#include <type_traits>

#include "host/driver.h"

namespace tenon::gpu {

template <class Ours, class Theirs>
inline constexpr bool same_parameter =
    sizeof(Ours) == sizeof(Theirs) && std::is_floating_point_v<Ours> ==
                                          std::is_floating_point_v<Theirs>&& std::is_class_v<Ours> ==
                                          std::is_class_v<Theirs>;

template <class Ours, class Theirs>
struct SameCall : std::false_type {};
template <class OurResult, class... Ours, class Result, class... Theirs>
requires(sizeof...(Ours) == sizeof...(Theirs)) struct SameCall<OurResult (*)(Ours...), Result (*)(Theirs...)>
    : std::bool_constant<sizeof(Result) == sizeof(Status) && sizeof(OurResult) == sizeof(Status) &&
                         (same_parameter<Ours, Theirs> && ...)> {
};

}  // namespace tenon::gpu
