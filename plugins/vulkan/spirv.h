// spirv.h: what is done to a module before the driver sees it.
//
// Pure; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::vulkan {

/// What a device can be told of its arithmetic, for binary32 and for binary64. What it is not told is its own choice.
struct FloatControls {
  struct Widths {
    bool binary32 = false, binary64 = false;
  };
  Widths keeps_subnormals, rounds_to_even, keeps_zeros_and_nans;
};

/// The module with every floating-point operation decorated NoContraction: no driver may fuse, reassociate or simplify
/// one of them, whatever the compiler made of the source's `precise`. It asks for all that `controls` allow.
std::vector<std::uint32_t> strict_module(std::span<const std::uint32_t> module, const FloatControls& controls);

}  // namespace tenon::vulkan
