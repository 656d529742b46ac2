// pack.h: sixteen bytes of elements at a time, which is the widest access a thread has. Every tensor begins at a
// multiple of 64 bytes, so only a tensor's end is ever shorter than a pack.
#pragma once
#include "portable.h"

namespace tenon::gpu {

template <class T>
struct alignas(16) Pack {
  static constexpr unsigned width = 16 / sizeof(T);
  T at[width];
};

template <class T>
TENON_DEVICE Pack<T> load_pack(const T* from, std::uint64_t pack) {
  return reinterpret_cast<const Pack<T>*>(from)[pack];
}
template <class T>
TENON_DEVICE void store_pack(T* to, std::uint64_t pack, const Pack<T>& values) {
  reinterpret_cast<Pack<T>*>(to)[pack] = values;
}

/// Calls whole(pack) or single(element) for what this thread has to do of n elements: each of the first threads has a
/// pack, each of those after them an element of the rest.
template <class T, class Whole, class Single>
TENON_DEVICE void for_my_pack(std::uint64_t n, const Whole& whole, const Single& single) {
  const std::uint64_t i = thread_number(), packs = n / Pack<T>::width;
  if (i < packs)
    whole(i);
  else if (i - packs < n % Pack<T>::width)
    single(packs * Pack<T>::width + (i - packs));
}

}  // namespace tenon::gpu
