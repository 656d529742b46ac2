#include "check.h"
namespace tenon::check {
std::span<const Check> thread_checks() { return {}; }
}  // namespace tenon::check
