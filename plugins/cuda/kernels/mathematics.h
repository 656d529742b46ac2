// mathematics.h: whose exp and log a kernel takes. Pure functions.
#pragma once
#include <cmath>

#include "portable.h"
#include "tenon/numerics.h"

namespace tenon::gpu {

/// The functions of docs/numerics.md.
struct Strict {
  template <class T>
  TENON_DEVICE static T exp(T x) {
    return strict::exp(x);
  }
  template <class T>
  TENON_DEVICE static T log(T x) {
    return strict::log(x);
  }
};

/// The compiler's own, which need no binary64 and are off by a last place or two.
struct Fast {
  TENON_DEVICE static float exp(float x) { return std::exp(x); }
  TENON_DEVICE static float log(float x) { return std::log(x); }
};

}  // namespace tenon::gpu
