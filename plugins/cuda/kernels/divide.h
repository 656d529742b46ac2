// divide.h: quotient and rest at once. GPUs divide by a sequence of instructions, of 64 bits by four times as many as
// of 32, and almost all numbers here fit into 32. Pure functions; any thread.
#pragma once
#include <cstdint>

#include "tenon/strict/base.h"

namespace tenon::gpu {

struct Division {
  std::uint64_t quotient, rest;
};

TENON_DEVICE_FN Division divide(std::uint64_t dividend, std::uint64_t divisor) {
  if ((dividend | divisor) >> 32 != 0) return {dividend / divisor, dividend % divisor};
  const auto narrow = static_cast<std::uint32_t>(dividend), by = static_cast<std::uint32_t>(divisor);
  const std::uint32_t quotient = narrow / by;
  return {quotient, narrow - quotient * by};
}

}  // namespace tenon::gpu
