// No flaw: a second provider stands on a library that is not there, and the first one serves in its place.
#include "sound.h"

namespace {

tenon_capsule fast_neg = [] {
  tenon_capsule c = sound::capsule("flawed.fast.neg.f32", "neg");
  c.provider = "fast";
  c.launch = sound::negate;
  c.supports = [](const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text* reason) {
    return sound::decline(reason, "libfast.so.1 was not found");
  };
  return c;
}();
const tenon_capsule* const three[] = {&sound::neg, &sound::reshaper, &fast_neg};

}  // namespace

FLAWED_PLUGIN(sound::plugin.capsules = three; sound::plugin.capsule_count = 3)
