// expected: [plan] parameter 0 fc1.weight (128, 64): found another type, expected an initializer
#include "../mlp.h"

Plan<ParamsOf<Mlp>> plan{"0", init::zeros(), init::zeros(), init::zeros()};
