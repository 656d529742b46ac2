// Prepares what it declines, and lets something out of release that is no exception of the library.
#include "sound.h"

FLAWED_PLUGIN(
    sound::neg.prepare =
        [](const tenon_capsule* capsule, tenon_device* device, const tenon_signature* s, tenon_kernel* out) {
          tenon_node node = *s->nodes[0];
          const tenon_node* const nodes[] = {&node};
          tenon_signature without = *s;
          node.attr_count = 0, without.nodes = nodes;
          return sound::prepare(capsule, device, &without, out);
        };
    sound::neg.release =
        [](void* kernel) {
          delete static_cast<sound::Kernel*>(kernel);
          throw 1;
        })
