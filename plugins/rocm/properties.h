// properties.h: what is needed of HIP's struct of a device's properties: where the architecture's name stands in it.
// From HIP 6 on its function of this name keeps giving the struct of HIP 5. tests/cuda compares with the vendor's
// header. Constants.
#pragma once
#include <cstddef>

namespace tenon::gpu {

inline constexpr std::size_t properties_capacity = 4096;  // the struct has less than a quarter of that
inline constexpr std::size_t architecture_offset = 396, architecture_bytes = 256;

}  // namespace tenon::gpu
