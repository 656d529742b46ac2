#include "tenon/capsule_text.h"

namespace tenon {

std::string_view rounding_text(const tenon_numerics& n) {
  switch (n.rounding) {
    case TENON_ROUNDING_NEAREST_EVEN:
      return "nearest-even";
    case TENON_ROUNDING_DIRECTED:
      return "directed rounding";
    default:
      return "rounding of its own";
  }
}

std::string_view subnormals_text(const tenon_numerics& n) {
  switch (n.subnormals) {
    case TENON_SUBNORMALS_GRADUAL:
      return "gradual underflow";
    case TENON_SUBNORMALS_FLUSH:
      return "flush to zero";
    default:
      return "underflow of its own";
  }
}

std::string_view contraction_text(const tenon_numerics& n) {
  switch (n.contraction) {
    case TENON_CONTRACTION_SEPARATE:
      return "unfused";
    case TENON_CONTRACTION_FUSED:
      return "fused";
    case TENON_NOT_APPLICABLE:
      return "";
    default:
      return "fusing of its own";
  }
}

std::string_view reduction_text(const tenon_numerics& n) {
  switch (n.reduction) {
    case TENON_REDUCTION_FIXED_LEFT:
      return "sums left to right";
    case TENON_REDUCTION_FIXED_TREE:
      return "sums in a fixed tree";
    case TENON_NOT_APPLICABLE:
      return "";
    default:
      return "sums in an order of its own";
  }
}

std::string numerics_text(const tenon_numerics& n) {
  std::string out = (n.flags & TENON_NUMERICS_STRICT) != 0 ? "strict: " : "not strict: ";
  out += rounding_text(n);
  for (const std::string_view part : {subnormals_text(n), contraction_text(n), reduction_text(n)})
    if (!part.empty()) out.append(", ").append(part);
  return out;
}

std::string_view trust_text(std::uint32_t trust) {
  return trust == TENON_TRUST_CHECKED ? "checked" : "trusted-external";
}

}  // namespace tenon
