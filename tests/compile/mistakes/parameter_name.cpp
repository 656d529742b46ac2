// expected: [parameters] found fc3.weight, expected one of fc1.weight fc1.bias fc2.weight fc2.bias
#include "../mlp.h"

auto f(const TensorPack<float, ParamsOf<Mlp>>& params) { return params["fc3.weight"_p]; }
