// expected: [matmul] left (32, 128), right (64, 10): inner extents 128 and 64 differ
#include "../mlp.h"

auto f(Tensor<32, 128> a, Tensor<64, 10> b) { return relu(matmul(a, b)) + a; }
