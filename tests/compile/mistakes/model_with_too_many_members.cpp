// expected: [model] found more than 16 members, expected fewer: group some in a struct
#include "../mlp.h"

struct Net {
  Tensor<1> a, b, c, d, e, f, g, h, i, j, k, l, m, n, o, p, q;
};
constexpr std::size_t parameters = length<ParamsOf<Net>>;
