// expected: [parameters] found the name w twice, parameter 0 (2, 3) and parameter 2 (4), expected two names
#include "../mlp.h"

Plan<Shapes<param("w", 2, 3), param("b", 2), param("w", 4)>> plan{init::zeros(), init::zeros(), init::zeros()};
