// expected: [plan] found 3 initializers, expected 4; none for parameter 3 fc2.bias (10)
#include "../mlp.h"

Plan<ParamsOf<Mlp>> plan{init::kaiming_uniform(1), init::zeros(), init::kaiming_uniform(2)};
