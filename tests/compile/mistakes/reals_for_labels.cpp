// expected: [cross_entropy] labels (batch): found real numbers, expected natural ones
#include "../mlp.h"

auto f(Tensor<batch, 10> logits, Tensor<batch> labels) { return cross_entropy(logits, labels); }
