// row_rules.h: what softmax, log_softmax, cross_entropy and attention do to one row, in one place so that their bits
// agree. Each runs on a team (teams.h); results may stand in the operands' place.
#pragma once
#include "mathematics.h"
#include "teams.h"

namespace tenon::gpu {

/// exp(x - m) into output; its sum.
template <class Math, class T, class Team>
TENON_DEVICE T exponentials(const Team& team, T* output, const T* x) {
  const T m = team.greatest([=](std::uint64_t i) { return x[i]; });
  return team.sum([=](std::uint64_t i) {
    const T e = Math::exp(x[i] - m);
    output[i] = e;
    return e;
  });
}

template <class T>
struct LogSum {
  T greatest, log_of_sum;
};

template <class Math, class T, class Team>
TENON_DEVICE LogSum<T> log_sum(const Team& team, const T* x) {
  const T m = team.greatest([=](std::uint64_t i) { return x[i]; });
  return {m, Math::log(team.sum([=](std::uint64_t i) { return Math::exp(x[i] - m); }))};
}

/// Of factor * x where mask is not 0. What is 0 among the exponentials stays 0, whatever their sum: blocked elements,
/// and rows of nothing else.
template <class Math, class T, class Team, class At>
TENON_DEVICE void masked_softmax(const Team& team, T* output, const At& x, const T* mask) {
  const T m = team.greatest([=](std::uint64_t i) { return mask[i] != 0 ? x(i) : lowest<T>(); });
  const T sum = team.sum([=](std::uint64_t i) {
    const T e = mask[i] != 0 ? Math::exp(x(i) - m) : T(0);
    output[i] = e;
    return e;
  });
  team.each([=](std::uint64_t i) { output[i] = output[i] == 0 ? T(0) : output[i] / sum; });
}

}  // namespace tenon::gpu
