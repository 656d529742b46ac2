#include "spirv.h"

namespace tenon::vulkan {
namespace {

constexpr std::size_t header_words = 5;
constexpr std::uint32_t op_decorate = 71, no_contraction = 42;

// OpFNegate, OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod, OpVectorTimesScalar and OpDot.
constexpr bool is_arithmetic(std::uint32_t op) {
  return op == 127 || op == 129 || op == 131 || op == 133 || op == 136 || op == 140 || op == 141 || op == 142 ||
         op == 148;
}

// OpTypeVoid ... OpTypeForwardPointer.
constexpr bool begins_types(std::uint32_t op) { return op >= 19 && op <= 39; }

}  // namespace

std::vector<std::uint32_t> without_contraction(std::span<const std::uint32_t> module) {
  std::size_t types = 0;  // which follow the decorations
  std::vector<std::uint32_t> decorations;
  for (std::size_t at = header_words; at < module.size(); at += module[at] >> 16) {
    const std::uint32_t op = module[at] & 0xffff;
    if (types == 0 && begins_types(op)) types = at;
    if (is_arithmetic(op))
      decorations.insert(decorations.end(), {3u << 16 | op_decorate, module[at + 2], no_contraction});
  }
  std::vector<std::uint32_t> result(module.begin(), module.begin() + static_cast<std::ptrdiff_t>(types));
  result.insert(result.end(), decorations.begin(), decorations.end());
  result.insert(result.end(), module.begin() + static_cast<std::ptrdiff_t>(types), module.end());
  return result;
}

}  // namespace tenon::vulkan
