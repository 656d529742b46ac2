// The kernels for the instruction set that every machine of the architecture has, and the choice among all.
#include "kernels.h"

namespace tenon::cpu::native {
namespace baseline {

constexpr std::uint64_t vector_bytes = 16;

#include "loops/vectors.inc"

#include "loops/elementwise.inc"
#include "loops/products.inc"
#include "loops/sums.inc"

using Fused = Separate;  // there is no such instruction

#include "loops/table.inc"

}  // namespace baseline

#if defined(__x86_64__)
namespace avx2 {
template <class T>
const Kernels<T>& kernels();
}
namespace avx512 {
template <class T>
const Kernels<T>& kernels();
}
#endif

template <class T>
const Kernels<T>& kernels(Isa isa) {
#if defined(__x86_64__)
  if (isa == Isa::avx512) return avx512::kernels<T>();
  if (isa == Isa::avx2) return avx2::kernels<T>();
#endif
  static_cast<void>(isa);
  return baseline::kernels_here<T>;
}
template const Kernels<float>& kernels(Isa);
template const Kernels<double>& kernels(Isa);

}  // namespace tenon::cpu::native
