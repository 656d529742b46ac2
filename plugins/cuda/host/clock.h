// clock.h: waiting with a time limit, which the drivers do not have. Pure; any thread.
#pragma once
#include <chrono>
#include <thread>

#include "tenon/plugin.h"

namespace tenon::gpu {

/// Asks is_done() until it is true or the time is over: TENON_OK, or TENON_PENDING. A limit too far away for the clock
/// is none.
template <class Question>
std::int32_t wait_until(std::uint64_t timeout_ns, const Question& is_done) {
  using Clock = std::chrono::steady_clock;
  constexpr std::uint64_t a_year_ns = std::uint64_t{365} * 24 * 3600 * 1'000'000'000;
  const auto end = Clock::now() + std::chrono::nanoseconds(std::min(timeout_ns, a_year_ns));
  while (!is_done()) {
    if (Clock::now() >= end) return TENON_PENDING;
    std::this_thread::yield();
  }
  return TENON_OK;
}

}  // namespace tenon::gpu
