#include "failures.h"

#include <cstdlib>
#include <sstream>

namespace gpusim::driver {

bool Failures::parse(const std::string& text) {
  std::istringstream all(text);
  for (std::string one; std::getline(all, one, ',');) {
    std::istringstream parts(one);
    std::string function, n, status;
    if (!std::getline(parts, function, ':') || !std::getline(parts, n, ':') || !std::getline(parts, status))
      return false;
    plan(function, unsigned(std::atoi(n.c_str())), std::atoi(status.c_str()));
  }
  return true;
}

Status Failures::next(const std::string& function) {
  ++calls_[function];
  const Status any = count_down("*");
  const Status own = count_down(function);
  if (own != success || any != success) given_.push_back(function);
  return own != success ? own : any;
}

Status Failures::count_down(const std::string& function) {
  const auto found = planned_.find(function);
  if (found == planned_.end() || --found->second.left > 0) return success;
  const Status status = found->second.status;
  planned_.erase(found);
  return status;
}

}  // namespace gpusim::driver
