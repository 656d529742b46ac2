// expected: [cross_entropy] logits (batch): found natural numbers, expected real ones
#include "../mlp.h"

auto f(Tensor<batch, 10> logits, Naturals<batch> labels) { return cross_entropy(labels, logits); }
