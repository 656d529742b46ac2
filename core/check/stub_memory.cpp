#include "check.h"
namespace tenon::check {
std::span<const Check> memory_checks() { return {}; }
}  // namespace tenon::check
