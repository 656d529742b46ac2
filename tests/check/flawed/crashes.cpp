// Follows a null pointer in a launch.
#include "sound.h"

namespace {

const std::int32_t* volatile nowhere = nullptr;

}  // namespace

FLAWED_PLUGIN(sound::neg.launch = [](void*, const tenon_args*, tenon_stream*) -> std::int32_t { return *nowhere; })
