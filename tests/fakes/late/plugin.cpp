// The fake plugin `late`: its table, its settings, and its capsules, each of which queues a kernel of the CPU's.
#include <charconv>
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

// -- settings -----------------------------------------------------------------------------------------------

std::uint64_t bytes_of(const tenon_attr& option) {
  if (option.value.type == TENON_VALUE_INT) return static_cast<std::uint64_t>(option.value.as.i);
  std::uint64_t bytes = 0;
  if (option.value.type == TENON_VALUE_TEXT) {
    const char* end = option.value.as.s + std::strlen(option.value.as.s);
    const auto [rest, failure] = std::from_chars(option.value.as.s, end, bytes);
    if (failure == std::errc() && rest == end) return bytes;
  }
  plugin::refuse("[late] option ", std::string_view(option.name), ": expected a number of bytes");
}

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

std::int32_t initialize(const tenon_attr* options, std::uint32_t option_count, void** self) {
  *self = nullptr;
  return guard([&] {
    listen();
    auto instance = std::make_unique<Instance>();
    instance->settings.read({options, option_count});
    *self = instance.release();
  });
}
std::int32_t quiesce(void*) { return TENON_OK; }
void shutdown(void* self) { delete static_cast<Instance*>(self); }
const void* extension(void*, const char*, std::uint32_t) { return nullptr; }

}  // namespace

void Settings::read(std::span<const tenon_attr> options) {
  static constexpr std::string_view known[] = {"memory_bytes"};
  plugin::check_options("late", options, known);
  for (const tenon_attr& option : options) memory_bytes = bytes_of(option);
}

Instance& instance_of(void* self) {
  static Instance defaults;
  return self == nullptr ? defaults : *static_cast<Instance*>(self);
}

const tenon_plugin* table() {
  static const Capsules wrapped;
  static const tenon_plugin plugin = [] {
    tenon_plugin p{};
    p.size = sizeof p;
    p.id = "late";
    p.vendor = "fakes";
    p.version = "0.1.0";
    p.build = __VERSION__;
    p.devices = &devices;
    p.capsule_count = static_cast<std::uint32_t>(wrapped.pointers.size());
    p.capsules = wrapped.pointers.data();
    p.initialize = initialize;
    p.quiesce = quiesce;
    p.shutdown = shutdown;
    p.extension = extension;
    return p;
  }();
  return &plugin;
}

}  // namespace tenon::late
