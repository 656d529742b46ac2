// attributes.h: what a kernel's parameters ask of the thread that runs it (Metal Shading Language Specification,
// "Attributes for Compute Kernel Functions"). For the units that `bind` writes, by the host's compiler.
#pragma once
#include <cstddef>
#include <cstdint>

#include "gpusim/variables.h"

namespace msl {

// As clang passes the vectors of Metal: three components in the room of four.
using Uint2 = std::uint32_t __attribute__((vector_size(8)));
using Uint3 = std::uint32_t __attribute__((vector_size(16)));

inline constexpr std::size_t pointers[31] = {sizeof(void*), sizeof(void*), sizeof(void*), sizeof(void*), sizeof(void*),
                                             sizeof(void*), sizeof(void*), sizeof(void*), sizeof(void*), sizeof(void*)};

template <class T>
T as(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  if constexpr (sizeof(T) == 4) return x;
  if constexpr (sizeof(T) == 8) return Uint2{x, y};
  if constexpr (sizeof(T) == 16) return Uint3{x, y, z, 0};
}

template <class T>
T thread_position_in_threadgroup() {
  return as<T>(threadIdx.x, threadIdx.y, threadIdx.z);
}
template <class T>
T threadgroup_position_in_grid() {
  return as<T>(blockIdx.x, blockIdx.y, blockIdx.z);
}
template <class T>
T threads_per_threadgroup() {
  return as<T>(blockDim.x, blockDim.y, blockDim.z);
}
template <class T>
T threadgroups_per_grid() {
  return as<T>(gridDim.x, gridDim.y, gridDim.z);
}
template <class T>
T thread_position_in_grid() {
  return as<T>(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y,
               blockIdx.z * blockDim.z + threadIdx.z);
}
template <class T>
T threads_per_grid() {
  return as<T>(gridDim.x * blockDim.x, gridDim.y * blockDim.y, gridDim.z * blockDim.z);
}
template <class T>
T thread_index_in_threadgroup() {
  return threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
}
template <class T>
T threads_per_simdgroup() {
  return std::uint32_t(warpSize);
}
template <class T>
T thread_index_in_simdgroup() {
  return thread_index_in_threadgroup<T>() % std::uint32_t(warpSize);
}
template <class T>
T simdgroup_index_in_threadgroup() {
  return thread_index_in_threadgroup<T>() / std::uint32_t(warpSize);
}
template <class T>
T simdgroups_per_threadgroup() {
  const std::uint32_t width = std::uint32_t(warpSize);
  return (blockDim.x * blockDim.y * blockDim.z + width - 1) / width;
}

}  // namespace msl
