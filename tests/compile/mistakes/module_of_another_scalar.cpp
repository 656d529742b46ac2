// expected: [module] scalars are float or double
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f() { return instantiate_configured<long double>(define<Mlp>(), {}); }
