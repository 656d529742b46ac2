// expected: [linear] x (batch, 64), weight (128), bias (128, 64): expected (..., in), (out, in), (out)
#include "../mlp.h"

using Params = Shapes<param("w", 128, 64), param("b", 128)>;
void f() {
  define<Params, Shapes<param("x", batch, 64)>, Shapes<>>(
      [](auto, auto, auto x) { return relu(x); }, [](auto b, auto w, auto x) { return reduce_sum(linear(x, w, b)); });
}
