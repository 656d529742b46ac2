#include "tenon/kernel.h"

#include "tenon/abi_values.h"
#include "tenon/guarded.h"

namespace tenon {
namespace {

bool grants(const tenon_kernel& prepared, std::uint32_t output, std::uint32_t operand) {
  for (std::uint32_t i = 0; i < prepared.alias_count; ++i)
    if (prepared.aliases[std::size_t{2} * i] == output && prepared.aliases[std::size_t{2} * i + 1] == operand)
      return true;
  return false;
}

/// Which of the proposed pairs the kernel agreed to: what was not proposed cannot be granted.
void take_grants(const tenon_kernel& prepared, const tenon_signature& proposed,
                 std::array<bool, max_operands>& in_place) {
  for (std::uint32_t i = 0; i < proposed.alias_count; ++i) {
    const std::uint32_t output = proposed.aliases[std::size_t{2} * i],
                        operand = proposed.aliases[std::size_t{2} * i + 1];
    if (grants(prepared, output, operand)) in_place[output - proposed.input_count] = true;
  }
}

result<tenon_kernel> call_prepare(const Choice& choice, const Device& device, const tenon_signature& signature) {
  tenon_kernel prepared{};
  prepared.size = sizeof prepared;
  const tenon_capsule& capsule = *choice.capsule;
  clear_plugin_error();
  TENON_TRY(const std::int32_t status, guarded(choice.plugin->candidate().manifest.library, "prepare", [&] {
              return capsule.prepare(&capsule, device.handle(), &signature, &prepared);
            }));
  if (status == TENON_OK) return prepared;
  Error error = plugin_error(status, capsule.op);
  if (error.reason == Reason::KERNEL_FAILED) error.reason = Reason::PREPARE_FAILED;
  return fail(std::move(error));
}

/// What a kernel asks for must be something that its argument block will have.
result<void> check_wishes(const tenon_kernel& prepared, const tenon_capsule& capsule) {
  const auto refuse = [&](const std::string& wish) {
    return fail(Reason::PREPARE_FAILED, "[" + std::string(capsule.op) + "] " + capsule.name + " wants " + wish +
                                            ", which this version of Tenon does not provide");
  };
  if (prepared.saved_count != 0) return refuse("values saved for its gradient");
  const std::uint32_t alignment = prepared.workspace_alignment_bytes;
  if (prepared.workspace_bytes > 0 && alignment > 64)
    return refuse("a workspace aligned to " + std::to_string(alignment) + " bytes, more than 64");
  return {};
}

void combine(std::size_t& seed, std::size_t value) { seed ^= value + 0x9e3779b97f4a7c15u + (seed << 6) + (seed >> 2); }

void combine(std::size_t& seed, const std::vector<TensorType>& types) {
  for (const TensorType& type : types) {
    combine(seed, static_cast<std::size_t>(type.dtype));
    for (const Extent e : type.shape.extents()) combine(seed, static_cast<std::size_t>(e));
  }
}

}  // namespace

result<std::shared_ptr<const Kernel>> Kernel::prepare(const Registry& registry, const Request& request) {
  std::shared_ptr<Kernel> kernel(new Kernel);
  kernel->request_ = request;
  kernel->choice_ = registry.choose(request);
  if (kernel->choice_.capsule == nullptr)
    return fail(Reason::NO_CAPSULE, explain_gap(request, kernel->choice_, *registry.device()));
  const AbiSignature signature(request, registry.policy().strict);
  const Device& device = *registry.device();
  auto prepared = call_prepare(kernel->choice_, device, signature.get());
  if (!prepared) {
    prepared.error().text +=
        std::string("\n  while ") + kernel->choice_.capsule->name + " was prepared for " + to_string(request);
    return fail(std::move(prepared).error());
  }
  kernel->prepared_ = *prepared;
  kernel->is_prepared_ = true;
  TENON_CHECK(check_wishes(kernel->prepared_, *kernel->choice_.capsule));
  take_grants(kernel->prepared_, signature.get(), kernel->in_place_);
  return kernel;
}

Kernel::~Kernel() {
  if (!is_prepared_) return;
  guarded_end(choice_.plugin->candidate().manifest.library, "release",
              [&] { choice_.capsule->release(prepared_.kernel); });
}

bool same_attributes(const Attributes& a, const Attributes& b) {
  if (a == b) return true;
  if (a.index() != b.index()) return false;
  bool same = true;
  for_each_pair(a, b, [&](std::string_view, const auto& x, const auto& y) {
    const bool both_nan = x != x && y != y;
    same = same && (x == y || both_nan);
  });
  return same;
}

bool KernelCache::Same::operator()(const Request& a, const Request& b) const {
  return a.op == b.op && a.mode == b.mode && a.operands == b.operands && a.outputs == b.outputs &&
         same_attributes(a.attributes, b.attributes);
}

std::size_t KernelCache::Hash::operator()(const Request& request) const {
  std::size_t seed = static_cast<std::size_t>(request.op);
  combine(seed, static_cast<std::size_t>(request.mode));
  combine(seed, request.operands);
  combine(seed, request.outputs);
  return seed;  // attributes rarely tell requests apart that shapes do not
}

result<std::shared_ptr<const Kernel>> KernelCache::get(const Request& request) {
  if (const auto found = entries_.find(request); found != entries_.end()) {
    order_.splice(order_.end(), order_, found->second.place);
    return found->second.kernel;
  }
  TENON_TRY(auto kernel, Kernel::prepare(registry_, request));
  if (order_.size() == capacity_) {
    entries_.erase(order_.front());
    order_.pop_front();
  }
  order_.push_back(request);
  entries_.emplace(request, Entry{kernel, std::prev(order_.end())});
  return kernel;
}

}  // namespace tenon
