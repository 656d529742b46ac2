// The fake plugin `late`: itself, and its capsules, each of which queues a kernel of the CPU's.
#include <cstring>
#include <deque>
#include <memory>

#include "device.h"
#include "kernel.h"
#include "ledger.h"
#include "tenon/plugin.hpp"
#include "words.h"

namespace tenon::late {
namespace {

using plugin::guard;

// -- capsules: the inner one's facts under another name and another domain ----------------------------------

constexpr std::string_view inner_prefix = "cpu.reference.";

const tenon_capsule& inner_of(const tenon_capsule& capsule) {
  const std::string_view name = std::string_view(capsule.name).substr(std::strlen("late."));
  for (const tenon_capsule* inner : plugin::linked_capsules()) {
    if (std::string_view(inner->name).substr(inner_prefix.size()) == name) return *inner;
  }
  plugin::refuse("[late] ", std::string_view(capsule.name), " wraps nothing");
}

std::int32_t supports(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                      tenon_text* reason) {
  return guard([&] {
    const tenon_capsule& inner = inner_of(*capsule);
    return inner.supports(&inner, device, signature, reason);
  });
}

std::int32_t prepare(const tenon_capsule* capsule, tenon_device*, const tenon_signature* signature, tenon_kernel* out) {
  return guard([&] { *out = std::make_unique<Kernel>(inner_of(*capsule), *signature).release()->description(); });
}

std::int32_t launch(void* kernel, const tenon_args* args, tenon_stream* stream) {
  return guard([&] { enqueue_launch(stream, *static_cast<Kernel*>(kernel), *args); });
}

// Too early if launches are queued; they will say so.
void release(void* pointer) {
  auto* kernel = static_cast<Kernel*>(pointer);
  kernel->released = true;
  if (kernel->queued == 0) delete kernel;
}

struct Capsules {
  std::deque<std::string> names;  // their addresses stay
  std::deque<tenon_capsule> capsules;
  std::vector<const tenon_capsule*> pointers;

  Capsules() {
    for (const tenon_capsule* inner : plugin::linked_capsules()) {
      if (std::string_view(inner->name).starts_with(inner_prefix)) add(*inner);
    }
  }

 private:
  void add(const tenon_capsule& inner) {
    tenon_capsule capsule = inner;
    capsule.name = names.emplace_back("late." + std::string(inner.name).substr(inner_prefix.size())).c_str();
    capsule.provider = "late";
    capsule.memory_domain = "late";
    capsule.traits |= TENON_TRAIT_ASYNC;
    capsule.trust = TENON_TRUST_EXTERNAL;
    capsule.supports = supports;
    capsule.prepare = prepare;
    capsule.launch = launch;
    capsule.release = release;
    pointers.push_back(&capsules.emplace_back(capsule));
  }
};

// -- the plugin ---------------------------------------------------------------------------------------------

constexpr std::string_view known_options[] = {"memory_bytes"};

struct Late : Instance {
  static constexpr plugin::Identity identity{"late", "fakes", "0.1.0"};
  static constexpr const tenon_devices* devices = &late::devices;
  static constexpr std::span<const std::string_view> options = known_options;
  static std::span<const tenon_capsule* const> capsules() {
    static const Capsules wrapped;
    return wrapped.pointers;
  }

  explicit Late(const plugin::Options& given) {
    listen();
    settings.memory_bytes = given.whole("memory_bytes", settings.memory_bytes);
  }
};
static_assert(std::is_standard_layout_v<Late>);  // so that a test may take `self` for an Instance

}  // namespace

void Settings::read(std::span<const tenon_attr> options) {
  plugin::check_options("late", options, known_options);
  memory_bytes = plugin::Options("late", options).whole("memory_bytes", memory_bytes);
}

Instance& instance_of(void* self) {
  static Instance defaults;
  return self == nullptr ? defaults : *static_cast<Instance*>(self);
}

const tenon_plugin* table() { return plugin::table_of<Late>(); }

}  // namespace tenon::late
