#include "check.h"
namespace tenon::check {
std::span<const Check> robustness_checks() { return {}; }
}  // namespace tenon::check
