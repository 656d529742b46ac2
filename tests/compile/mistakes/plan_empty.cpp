// expected: [plan] found 0 initializers, expected 4; none for parameter 0 fc1.weight (128, 64)
#include "../mlp.h"

Plan<ParamsOf<Mlp>> plan{};
