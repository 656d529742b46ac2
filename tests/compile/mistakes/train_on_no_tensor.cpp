// expected: [module] input 0: found no host tensor, expected double (batch, 64)
#include "../mlp.h"
#include "tenon/instantiate.h"

auto f(ModuleOf<double, Mlp>& net, const std::vector<double>& x, const HostTensor<Natural, batch>& label) {
  return net.train_sgd({}, x, label);
}
