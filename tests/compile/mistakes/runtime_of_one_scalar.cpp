// expected: [with_runtime] expected a callable for every scalar type: []<class S>(Runtime<S>, Args) -> result<void>
#include "../mlp.h"
#include "tenon/with_runtime.h"

auto f(const Args& args) {
  return with_runtime(args, [](Runtime<float>, Args) -> result<void> { return {}; });
}
