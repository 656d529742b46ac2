// pack.h: sixteen bytes of elements at a time, which is the widest access a thread has. Every tensor begins at a
// multiple of sixteen bytes, so only a tensor's end is ever shorter than a pack.
#pragma once
#include "portable.h"

namespace tenon::gpu {

/// Neighbours that are read or written at once.
template <class T, unsigned Width>
struct alignas(Width * sizeof(T)) Piece {
  static constexpr unsigned width = Width;
  T at[width];
};

template <class T>
using Pack = Piece<T, 16 / sizeof(T)>;

template <class T>
TENON_DEVICE Pack<T> load_pack(const T* from, std::uint64_t pack) {
  return reinterpret_cast<const Pack<T>*>(from)[pack];
}
template <class T>
TENON_DEVICE void store_pack(T* to, std::uint64_t pack, const Pack<T>& values) {
  reinterpret_cast<Pack<T>*>(to)[pack] = values;
}

/// How many of a piece's elements are inside, where `left` elements are.
template <class Elements>
TENON_DEVICE unsigned inside(std::uint64_t left) {
  return left < Elements::width ? static_cast<unsigned>(left) : Elements::width;
}

/// The first `inside` elements of a piece, and +0 for the others. `whole`: `from` is aligned, and all or none are
/// inside.
template <class Elements, class T>
TENON_DEVICE Elements load_piece(const T* from, unsigned inside, bool whole) {
  Elements values{};
  if (whole) {
    if (inside != 0) values = *reinterpret_cast<const Elements*>(from);
    return values;
  }
#pragma unroll
  for (unsigned i = 0; i < Elements::width; ++i)
    if (i < inside) values.at[i] = from[i];
  return values;
}
/// The same to `place`, an index from where pieces are aligned: counted in pieces the compiler sees that it may write
/// one at once.
template <class Elements, class T>
TENON_DEVICE void store_piece(T* to, std::uint64_t place, unsigned inside, bool whole, const Elements& values) {
  if (whole) {
    if (inside != 0) reinterpret_cast<Elements*>(to)[place / Elements::width] = values;
    return;
  }
#pragma unroll
  for (unsigned i = 0; i < Elements::width; ++i)
    if (i < inside) to[place + i] = values.at[i];
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
