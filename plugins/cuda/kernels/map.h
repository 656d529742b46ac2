// map.h: a function of the elements at the same place, each of which is read before it is written, so that a result may
// take an operand's place.
#pragma once
#include "pack.h"

namespace tenon::gpu {

template <class T, class Function, class... Packs>
TENON_DEVICE Pack<T> apply(const Function& function, const Packs&... operands) {
  Pack<T> result;
#pragma unroll
  for (unsigned i = 0; i < Pack<T>::width; ++i) result.at[i] = function(operands.at[i]...);
  return result;
}

template <class T, class Function, class... Operands>
TENON_DEVICE void map(const Function& function, std::uint64_t n, T* output, const Operands*... operands) {
  for_my_pack<T>(
      n, [&](std::uint64_t pack) { store_pack(output, pack, apply<T>(function, load_pack(operands, pack)...)); },
      [&](std::uint64_t i) { output[i] = function(operands[i]...); });
}

}  // namespace tenon::gpu
