// images.h: the code objects that the plugin carries, one for each file of kernels. The table is made by the build.
// Constant data; any thread.
#pragma once
#include <span>

namespace tenon::gpu {

struct Image {
  const char* family;  // the kernels' file: "elementwise"
  const void* code;    // what the vendor's compiler made, for all targets
};

extern const std::span<const Image> images;

}  // namespace tenon::gpu
