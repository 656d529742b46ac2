#include "check.h"
namespace tenon::check {
std::span<const Check> contract_checks() { return {}; }
}  // namespace tenon::check
