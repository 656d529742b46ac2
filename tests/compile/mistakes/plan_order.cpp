// expected: [plan] parameter 1 fc1.bias (128): xavier and kaiming need fans, found rank 1, expected 2 or more
#include "../mlp.h"

Plan<ParamsOf<Mlp>> plan{init::zeros(), init::kaiming_uniform(1), init::zeros(), init::zeros()};
