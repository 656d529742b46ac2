// expected: [cast_tensor] natural numbers are never converted to real ones, nor back
#include "../mlp.h"

auto f(const HostTensor<Natural, 3>& labels) { return cast_tensor<float>(labels); }
