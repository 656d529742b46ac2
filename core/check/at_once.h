// at_once.h: work that several threads begin together. Plain function; nothing outlives the call.
#pragma once
#include <functional>
#include <thread>

#include "verdict.h"

namespace tenon::check {

using StartThread = std::function<std::jthread(std::function<void()>)>;

inline std::jthread start_thread(std::function<void()> work) { return std::jthread(std::move(work)); }

/// Runs `work` in `count` threads, in the floating-point environment of strict numerics; the finding of the lowest that
/// has one. Where one of them cannot be started (`start` throws), none works, and that is the
/// finding.
Verdict at_once(std::size_t count, const std::function<Verdict(std::size_t)>& work,
                const StartThread& start = start_thread);

}  // namespace tenon::check
