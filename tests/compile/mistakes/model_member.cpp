// expected: [model] member rate: found another type, expected a tensor, a state, a model or a std::array of models
#include "../mlp.h"

struct Net {
  Linear<64, 10> fc;
  float rate;
};
static_assert(length<ParamsOf<Net>> == 2);
