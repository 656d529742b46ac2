// shuffle.h: a permutation that a seed decides, the same on every machine, and rows put into it. Pure functions; any
// thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "tenon/export.h"

namespace tenon {

/// The numbers 0 .. count-1 shuffled by Fisher and Yates: for i from count-1 down to 1, element i changes places with
/// element `draw(i) mod (i + 1)`, where draw(i) = splitmix64(key + i) and key = splitmix64(splitmix64(seed xor
/// "shuffle" as an integer) + round), so that neither another use of the seed nor another seed draws the same numbers.
/// Round 0 splits the rows of a file, round e orders those of epoch e.
TENON_API std::vector<std::uint64_t> permutation(std::uint64_t count, std::uint64_t seed, std::uint64_t round);

/// The rows `order` of a row-major matrix.
template <class T>
std::vector<T> take_rows(std::span<const T> matrix, std::size_t width, std::span<const std::uint64_t> order) {
  std::vector<T> out;
  out.reserve(order.size() * width);
  for (const std::uint64_t row : order) {
    const auto from = matrix.subspan(row * width, width);
    out.insert(out.end(), from.begin(), from.end());
  }
  return out;
}

}  // namespace tenon
