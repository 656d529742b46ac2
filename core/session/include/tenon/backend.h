// backend.h: how a session runs its program. Plain values.
#pragma once
#include <cstdint>
#include <string_view>

namespace tenon {

/// eager: operation by operation, as the program asks for them. compiled: recorded once for each set of input shapes,
/// then run as one plan. Both give the same bits and the same errors.
enum class Backend : std::uint8_t { eager, compiled };

constexpr std::string_view name(Backend backend) { return backend == Backend::compiled ? "compiled" : "eager"; }

}  // namespace tenon
