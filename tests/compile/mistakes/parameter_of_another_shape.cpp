// expected: [conversion] found real (128), expected real (10)
#include "../mlp.h"

void f(TensorPack<float, ParamsOf<Mlp>>& params, const HostTensor<float, 128>& bias) { params.set("fc2.bias"_p, bias); }
