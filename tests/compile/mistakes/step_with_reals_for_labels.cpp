// expected: [module] input 1: found float (batch), expected natural (batch)
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<float, Mlp>& net, const HostTensor<float, batch, 64>& x, const HostTensor<float, batch>& label) {
  return net.step(0.1, x, label);
}
