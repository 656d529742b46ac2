// expected: [plan] found an initializer for fc2.weight, expected parameter 1 fc1.bias (128)
#include "../mlp.h"

Plan<ParamsOf<Mlp>> plan{"fc1.weight"_p = init::zeros(), "fc2.weight"_p = init::zeros(), init::zeros(), init::zeros()};
