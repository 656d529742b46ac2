#include "at_once.h"

#include <barrier>
#include <exception>
#include <vector>

#include "call.h"
#include "tenon/fp_environment.h"

namespace tenon::check {

Verdict at_once(std::size_t count, const std::function<Verdict(std::size_t)>& work, const StartThread& start) {
  std::barrier<> together(static_cast<std::ptrdiff_t>(count));
  std::vector<Verdict> verdicts(count);
  Verdict started;  // those that wait read it once all have come
  {
    const auto run = [&](std::size_t i) {
      set_fp_environment();
      together.arrive_and_wait();
      if (started) verdicts[i] = contained_check([&] { return work(i); });
    };
    std::vector<std::jthread> threads;  // joined before what they run goes
    threads.reserve(count);
    try {
      while (threads.size() < count) threads.push_back(start([&run, i = threads.size()] { run(i); }));
    } catch (const std::exception& error) {
      started = wrong("of " + std::to_string(count) + " threads " + std::to_string(threads.size()) +
                          " could be started: " + std::string(error.what()),
                      "all of them");
      for (std::size_t i = threads.size(); i < count; ++i) static_cast<void>(together.arrive());
    }
  }
  TENON_HOLDS(started);
  for (const Verdict& verdict : verdicts) TENON_HOLDS(verdict);
  return {};
}

}  // namespace tenon::check
