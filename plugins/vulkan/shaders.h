// shaders.h: the modules that the build compiled, by name.
//
// Constant data, written by CMakeLists.txt from the `entry` lines of shaders/*.comp. Threads: any.
#pragma once
#include <cstdint>
#include <span>
#include <string_view>

namespace tenon::vulkan {

/// A shader, compiled for binary32 and for binary64.
struct Shader {
  std::string_view name;
  std::span<const std::uint32_t> binary32, binary64;
};

/// "family.entry", in the order of `shaders`.
inline constexpr std::string_view shader_names[] = {
#include "shader_names.inc"
};

extern const Shader shaders[std::size(shader_names)];

/// The number of a shader; a name that is not there does not compile.
consteval std::uint32_t shader(std::string_view name) {
  for (std::uint32_t i = 0; i < std::size(shader_names); ++i) {
    if (shader_names[i] == name) return i;
  }
  throw "no shader has this name: see the entry lines of shaders/*.comp";
}

}  // namespace tenon::vulkan
