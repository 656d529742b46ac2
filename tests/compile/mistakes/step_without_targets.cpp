// expected: [module] found 1 inputs, expected 2
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<float, Mlp>& net, const HostTensor<float, batch, 64>& x) { return net.step_with_loss(0.1, x); }
