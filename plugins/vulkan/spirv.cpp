#include "spirv.h"

namespace tenon::vulkan {
namespace {

using Words = std::vector<std::uint32_t>;

constexpr std::size_t header_words = 5;
constexpr std::uint32_t op_entry_point = 15, op_execution_mode = 16, op_capability = 17, op_decorate = 71;
constexpr std::uint32_t no_contraction = 42;

/// Number of a capability, and of the execution mode that it allows.
struct Control {
  std::uint32_t capability, mode;
  FloatControls::Widths FloatControls::*widths;
};
constexpr Control all_controls[] = {{4464, 4459, &FloatControls::keeps_subnormals},
                                    {4466, 4461, &FloatControls::keeps_zeros_and_nans},
                                    {4467, 4462, &FloatControls::rounds_to_even}};

// OpFNegate, OpFAdd, OpFSub, OpFMul, OpFDiv, OpFRem, OpFMod, OpVectorTimesScalar and OpDot.
constexpr bool is_arithmetic(std::uint32_t op) {
  return op == 127 || op == 129 || op == 131 || op == 133 || op == 136 || op == 140 || op == 141 || op == 142 ||
         op == 148;
}

// OpTypeVoid ... OpTypeForwardPointer.
constexpr bool begins_types(std::uint32_t op) { return op >= 19 && op <= 39; }

/// Where the sections begin that something is added to.
struct Sections {
  std::size_t after_entry_points = 0, types = 0;  // decorations come before the types
  std::uint32_t entry_point = 0;
};

Sections sections_of(std::span<const std::uint32_t> module) {
  Sections found;
  for (std::size_t at = header_words; at < module.size() && found.types == 0; at += module[at] >> 16) {
    const std::uint32_t op = module[at] & 0xffff;
    if (begins_types(op)) found.types = at;
    if (op != op_entry_point) continue;
    found.after_entry_points = at + (module[at] >> 16);
    found.entry_point = module[at + 2];
  }
  return found;
}

Words decorations_of(std::span<const std::uint32_t> module) {
  Words decorations;
  for (std::size_t at = header_words; at < module.size(); at += module[at] >> 16) {
    if (is_arithmetic(module[at] & 0xffff))
      decorations.insert(decorations.end(), {3u << 16 | op_decorate, module[at + 2], no_contraction});
  }
  return decorations;
}

}  // namespace

std::vector<std::uint32_t> strict_module(std::span<const std::uint32_t> module, const FloatControls& controls) {
  const Sections sections = sections_of(module);
  Words capabilities, modes;
  for (const Control& control : all_controls) {
    const auto [binary32, binary64] = controls.*control.widths;
    if (binary32 || binary64) capabilities.insert(capabilities.end(), {2u << 16 | op_capability, control.capability});
    for (const std::uint32_t bits : {32u, 64u}) {
      if (bits == 32 ? binary32 : binary64)
        modes.insert(modes.end(), {4u << 16 | op_execution_mode, sections.entry_point, control.mode, bits});
    }
  }
  Words result;
  const auto append = [&](std::span<const std::uint32_t> words) {
    result.insert(result.end(), words.begin(), words.end());
  };
  append(module.first(header_words));
  append(capabilities);
  append(module.subspan(header_words, sections.after_entry_points - header_words));
  append(modes);
  append(module.subspan(sections.after_entry_points, sections.types - sections.after_entry_points));
  append(decorations_of(module));
  append(module.subspan(sections.types));
  return result;
}

}  // namespace tenon::vulkan
