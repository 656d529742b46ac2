#include "check.h"
namespace tenon::check {
std::span<const Check> stream_checks() { return {}; }
}  // namespace tenon::check
