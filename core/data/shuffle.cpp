#include "tenon/shuffle.h"

#include <numeric>
#include <utility>

#include "tenon/random.h"

namespace tenon {
namespace {

constexpr std::uint64_t purpose = 0x73687566666c65;  // "shuffle"

}  // namespace

std::vector<std::uint64_t> permutation(std::uint64_t count, std::uint64_t seed, std::uint64_t round) {
  std::vector<std::uint64_t> order(count);
  std::iota(order.begin(), order.end(), std::uint64_t{0});
  const std::uint64_t key = random::splitmix64(random::splitmix64(seed ^ purpose) + round);
  for (std::uint64_t i = count; i-- > 1;) std::swap(order[i], order[random::splitmix64(key + i) % (i + 1)]);
  return order;
}

}  // namespace tenon
