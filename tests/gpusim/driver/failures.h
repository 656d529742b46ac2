// failures.h: the n-th call of a function that fails, though nothing is wrong.
#pragma once
#include <map>
#include <string>
#include <vector>

#include "status.h"

namespace gpusim::driver {

class Failures {
 public:
  /// "function:n:status", several with commas between; the function * stands for any. False: not written that way.
  bool parse(const std::string& text);
  /// The n-th call from now on (1 is the next one) gives the status and does nothing else.
  void plan(const std::string& function, unsigned n, Status status) { planned_[function] = {n, status}; }
  void clear() { planned_.clear(); }
  /// What this call has to give back without doing anything; success: nothing is planned for it.
  Status next(const std::string& function);
  /// The functions that gave what was planned, in order.
  const std::vector<std::string>& given() const { return given_; }
  /// How often each function was called, so that a test can let each of them fail once.
  const std::map<std::string, unsigned>& calls() const { return calls_; }
  void forget_calls() { calls_.clear(); }

 private:
  struct Planned {
    unsigned left;
    Status status;
  };
  Status count_down(const std::string& function);
  std::map<std::string, Planned> planned_;
  std::map<std::string, unsigned> calls_;
  std::vector<std::string> given_;
};

}  // namespace gpusim::driver
