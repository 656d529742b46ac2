// image.h: code objects as drivers get them: CUDA's fatbin, cubin and PTX, and HIP's bundle. Only what a driver looks
// at before it takes one: what it is, and whether it has code for an architecture.
#pragma once
#include <string>

#include "status.h"

namespace gpusim::driver {

/// success, invalid_image or no_binary_for_gpu. The architecture is sm_90 or gfx90a and the like.
Status check_image(const void* image, const std::string& architecture);

}  // namespace gpusim::driver
