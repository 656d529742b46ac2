// expected: [module] input 0 x: found float (3), expected float (batch, 2)
#include "../mlp.h"
#include "tenon/instantiate.h"

using Params = Shapes<param("w", 3, 2)>;
constexpr auto def = define<Params, Shapes<param("x", batch, 2)>, Shapes<>>(
    [](auto w, auto x) { return matmul(x, permute<1, 0>(w)); },
    [](auto w, auto x) { return reduce_mean(matmul(x, permute<1, 0>(w))); });

auto f(const HostTensor<float, 3>& x) { return instantiate_configured<float>(def, {})->forward(x); }
