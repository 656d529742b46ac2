// expected: [parameters] found the name mean twice, parameter 1 (3) and state 0 (3), expected two names
#include "../mlp.h"

using Params = Shapes<param("w", 3), param("mean", 3)>;
using States = Shapes<param("mean", 3)>;
using Inputs = Shapes<param("x", batch, 3)>;

constexpr auto net = define<Params, Inputs, Shapes<>, States>(
    [](Tensor<3> w, Tensor<3>, State<3> mean, Tensor<batch, 3> x) { return (x - mean) * w; },
    [](Tensor<3> w, Tensor<3>, State<3> mean, Tensor<batch, 3> x) { return reduce_mean((x - mean) * w); });
