// expected: [module] found 2 inputs, expected 1
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<float, Mlp>& net, const HostTensor<float, batch, 64>& x, const HostTensor<Natural, batch>& label) {
  return net.evaluate(x, label);
}
