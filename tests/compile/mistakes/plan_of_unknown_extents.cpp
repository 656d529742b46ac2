// expected: [parameters] parameter 0 w (batch, 3): expected known extents of at most 2^48 elements
#include "../mlp.h"

Plan<Shapes<param("w", batch, 3)>> plan{init::zeros()};
