// sources.h: the kernels as the build embedded them: their sources, a family each, and the library that Apple's
// compiler made of them, which is empty where the build had none.
//
// Constant data, written by embed.cmake. Threads: any.
#pragma once
#include <span>
#include <string_view>

namespace tenon::metal {

struct Source {
  std::string_view family;
  const char* text;  // with the headers that it includes in their places
};

extern const std::span<const Source> sources;
extern const std::span<const unsigned char> built_library;

}  // namespace tenon::metal
