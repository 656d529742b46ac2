// Brings a gradient of its own that is one bit off: of (x, result, cotangent), the cotangent negated.
#include "sound.h"

namespace {

constexpr tenon_dtype f32 = {TENON_DTYPE_FLOAT, 32, 1};
constexpr tenon_dtype types[] = {f32, f32, f32, f32};
constexpr tenon_dtypes combinations[] = {{4, 0, types}};

std::int32_t negate_cotangent(void* kernel, const tenon_args* args, tenon_stream*) {
  const auto* cotangent = reinterpret_cast<const std::uint32_t*>(sound::address(args->tensors[2]));
  auto* result = reinterpret_cast<std::uint32_t*>(sound::address(args->tensors[3]));
  for (std::uint64_t i = 0; i < static_cast<sound::Kernel*>(kernel)->elements; ++i)
    result[i] = cotangent[i] ^ 0x80000001;
  return TENON_OK;
}

}  // namespace

FLAWED_PLUGIN(sound::neg.name = "flawed.neg.vjp.f32"; sound::neg.op = "neg.vjp"; sound::neg.dtypes = combinations;
              sound::neg.launch = negate_cotangent)
