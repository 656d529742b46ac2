// spirv.h: what is done to a module before the driver sees it.
//
// Pure; any thread.
#pragma once
#include <cstdint>
#include <span>
#include <vector>

namespace tenon::vulkan {

/// The module with every floating-point operation decorated NoContraction: no driver may fuse, reassociate or simplify
/// one of them, whatever the compiler made of the source's `precise`.
std::vector<std::uint32_t> without_contraction(std::span<const std::uint32_t> module);

}  // namespace tenon::vulkan
