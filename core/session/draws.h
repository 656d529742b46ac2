// draws.h: the counter of a session's random operations: it rises by one for each that runs, in program order.
#pragma once
#include <cstdint>

#include "tenon/random.h"

namespace tenon {

struct Draws {
  std::uint64_t seed = 0, count = 0;

  /// The key of the random operation that follows `ahead` others.
  std::uint64_t key(std::uint64_t ahead) const { return random::key(seed, count + ahead); }
  std::uint64_t next_key() { return random::key(seed, count++); }
};

}  // namespace tenon
