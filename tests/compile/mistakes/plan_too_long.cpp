// expected: [plan] found 5 initializers, expected 4
#include "../mlp.h"

Plan<ParamsOf<Mlp>> plan{init::zeros(), init::zeros(), init::zeros(), init::zeros(), init::zeros()};
