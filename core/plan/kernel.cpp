#include "tenon/kernel.h"

#include "tenon/abi_values.h"

namespace tenon {
namespace {

bool grants(const tenon_kernel& prepared, std::uint32_t output, std::uint32_t operand) {
  for (std::uint32_t i = 0; i < prepared.alias_count; ++i)
    if (prepared.aliases[2 * i] == output && prepared.aliases[2 * i + 1] == operand) return true;
  return false;
}

/// Which of the proposed pairs the kernel agreed to: what was not proposed cannot be granted.
void take_grants(const tenon_kernel& prepared, const tenon_signature& proposed,
                 std::array<bool, max_operands>& in_place) {
  for (std::uint32_t i = 0; i < proposed.alias_count; ++i) {
    const std::uint32_t output = proposed.aliases[2 * i], operand = proposed.aliases[2 * i + 1];
    if (grants(prepared, output, operand)) in_place[output - proposed.input_count] = true;
  }
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
  const tenon_capsule* capsule = kernel->choice_.capsule;
  if (capsule == nullptr) return fail(Reason::NO_CAPSULE, explain_gap(request, kernel->choice_, *registry.device()));
  const AbiSignature signature(request, registry.policy().strict);
  kernel->prepared_.size = sizeof kernel->prepared_;
  const std::int32_t status =
      capsule->prepare(capsule, registry.device()->handle(), &signature.get(), &kernel->prepared_);
  if (status != TENON_OK) {
    kernel->choice_.capsule = nullptr;  // nothing to release
    Error error = plugin_error(status, name(request.op));
    if (error.reason == Reason::KERNEL_FAILED) error.reason = Reason::PREPARE_FAILED;
    error.text += std::string("\n  while ") + capsule->name + " was prepared for " + to_string(request);
    return fail(std::move(error));
  }
  if (kernel->prepared_.saved_count != 0)
    return fail(Reason::PREPARE_FAILED,
                "[" + std::string(name(request.op)) + "] " + capsule->name +
                    " wants values saved for its gradient, which this version does not provide");
  take_grants(kernel->prepared_, signature.get(), kernel->in_place_);
  return kernel;
}

Kernel::~Kernel() {
  if (choice_.capsule != nullptr) choice_.capsule->release(prepared_.kernel);
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
