// expected: [module] input 0: found natural (batch, 64), expected float (batch, 64)
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<float, Mlp>& net, const HostTensor<Natural, batch, 64>& x, const HostTensor<Natural, batch>& label) {
  return net.step(0.1, x, label);
}
