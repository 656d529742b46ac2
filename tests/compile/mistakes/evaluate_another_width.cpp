// expected: [module] input 0: found float (batch, 60), expected float (batch, 64)
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<float, Mlp>& net, const HostTensor<float, batch, 60>& x) { return net.evaluate(x); }
