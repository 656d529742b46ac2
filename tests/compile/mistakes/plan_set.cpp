// expected: [parameters] found fc3.bias, expected one of fc1.weight fc1.bias fc2.weight fc2.bias
#include "../mlp.h"

void f(Plan<ParamsOf<Mlp>>& plan) { plan.set("fc3.bias"_p, init::zeros()); }
