// expected: [loss] takes other arguments: expected 2 parameters, 1 inputs and 1 natural inputs
#include "../mlp.h"

using Params = Shapes<param("w", 10, 64), param("b", 10)>;
void f() {
  define<Params, Shapes<param("x", batch, 64)>, Shapes<param("y", batch)>>(
      [](auto w, auto b, auto x) { return linear(x, w, b); },
      [](auto w, auto b, auto x) { return reduce_sum(linear(x, w, b)); });
}
