// expected: [module] input 0: found double (batch, 64), expected float (batch, 64)
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<float, Mlp>& net, const HostTensor<double, batch, 64>& x) { return net.evaluator()(x); }
