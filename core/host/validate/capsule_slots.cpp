#include <algorithm>

#include "guards.h"
#include "held_stream.h"
#include "neighbours.h"
#include "slots.h"

namespace tenon::host {
namespace {

/// The capsule as its plugin wrote it.
const CapsuleRecord* real_of(Call& call, const tenon_capsule* capsule) {
  const CapsuleRecord* found = Ledger::instance().find_capsule(capsule);
  if (found != nullptr)
    call.speak_for(*found->plugin);
  else
    call.host_fault(rule::arguments, "found a capsule that is none of the host's copies");
  return found;
}

/// A device that may be null: then any of the domain is meant. False if it is refused.
bool find_device(Call& call, tenon_device* handle, DevicePointer& device) {
  if (handle == nullptr) return true;
  device = call.find<DeviceRecord>(handle);
  return device != nullptr;
}

tenon_device* real_of(const DevicePointer& device) { return device == nullptr ? nullptr : device->real; }

std::int32_t supports(const tenon_capsule* capsule, tenon_device* handle, const tenon_signature* signature,
                      tenon_text* reason) {
  Call call("supports", Call::Answer::unread);
  const CapsuleRecord* record = real_of(call, capsule);
  DevicePointer device;
  if (record == nullptr || !find_device(call, handle, device)) return Call::refused;
  if (!call.has(signature != nullptr, "signature") || !call.has(reason != nullptr, "text")) return Call::refused;
  const std::int32_t status = call.run(
      [&] { return record->real.supports(&record->real, real_of(device), signature, reason); }, TENON_DECLINED);
  if (reason->length <= reason->capacity) return status;
  const std::uint64_t length = std::exchange(reason->length, 0);
  return call.plugin_fault(rule::bounds, std::string(record->real.name) + ": found a reason of " +
                                             std::to_string(length) + " bytes in a place of " +
                                             std::to_string(reason->capacity));
}

// -- prepare ------------------------------------------------------------------------------------------------

/// From the first byte of the first element to the last one of the last.
std::uint64_t bytes_of(const tenon_tensor& tensor) {
  std::uint64_t last = 0;
  for (std::uint32_t axis = 0; axis < tensor.rank; ++axis) {
    if (tensor.shape[axis] == 0) return 0;
    last += static_cast<std::uint64_t>((tensor.shape[axis] - 1) * tensor.strides[axis]);
  }
  return (last + 1) * tensor.dtype.bits / 8;
}

void add_tensors(KernelRecord& record, const tenon_signature& signature, std::span<const std::uint32_t> values,
                 bool are_outputs) {
  for (std::size_t i = 0; i < values.size(); ++i) {
    const tenon_tensor& tensor = *signature.values[values[i]];
    record.tensors.push_back({bytes_of(tensor),
                              tensor.alignment_bytes,
                              are_outputs,
                              are_outputs || (tensor.flags & TENON_TENSOR_MUTABLE) != 0,
                              (are_outputs ? "output " : "operand ") + std::to_string(i),
                              {}});
  }
}

/// Where a value of the signature stands among the arguments.
std::optional<std::size_t> argument_of(const tenon_signature& signature, std::uint32_t value, bool is_output) {
  const std::span<const std::uint32_t> values = is_output ? std::span(signature.outputs, signature.output_count)
                                                          : std::span(signature.inputs, signature.input_count);
  const auto found = std::ranges::find(values, value);
  if (found == values.end()) return std::nullopt;
  return static_cast<std::size_t>(found - values.begin()) + (is_output ? signature.input_count : 0);
}

void add_grants(KernelRecord& record, const tenon_signature& signature, const tenon_kernel& kernel) {
  for (std::size_t i = 0; i < kernel.alias_count; ++i) {
    const auto output = argument_of(signature, kernel.aliases[2 * i], true);
    const auto input = argument_of(signature, kernel.aliases[2 * i + 1], false);
    if (output && input) record.tensors[*output].in_place.push_back(*input);
  }
}

std::optional<Fault> grants_without_list(const tenon_capsule& capsule, const tenon_kernel& kernel) {
  if (kernel.alias_count == 0 || kernel.aliases != nullptr) return std::nullopt;
  return Fault{
      Culprit::plugin, rule::outputs,
      std::string(capsule.name) + ": found " + std::to_string(kernel.alias_count) + " granted pairs without a list"};
}

std::int32_t prepare(const tenon_capsule* capsule, tenon_device* handle, const tenon_signature* signature,
                     tenon_kernel* kernel) {
  Call call("prepare");
  const CapsuleRecord* of = real_of(call, capsule);
  DevicePointer device;
  if (of == nullptr || !find_device(call, handle, device)) return Call::refused;
  if (!call.has(signature != nullptr, "signature") || !call.has(kernel != nullptr, "place for the kernel"))
    return Call::refused;
  const std::int32_t status = call.run_giving(
      [&] { return of->real.prepare(&of->real, real_of(device), signature, kernel); },
      [&] { return grants_without_list(of->real, *kernel); }, [&] { of->real.release(kernel->kernel); });
  if (status != TENON_OK) return status;
  auto record = std::make_shared<KernelRecord>(of->plugin, *of);
  record->device = device;
  record->real = kernel->kernel;
  add_tensors(*record, *signature, {signature->inputs, signature->input_count}, false);
  add_tensors(*record, *signature, {signature->outputs, signature->output_count}, true);
  add_grants(*record, *signature, *kernel);
  record->scalar_count = signature->scalar_count;
  record->workspace_bytes = kernel->workspace_bytes;
  record->workspace_alignment_bytes = kernel->workspace_alignment_bytes;
  kernel->kernel = handle_of<void>(Ledger::instance().add(std::move(record)));
  return TENON_OK;
}

// -- launch -------------------------------------------------------------------------------------------------

bool overlap(const Place& a, const Place& b) {
  return a.memory != nullptr && a.memory == b.memory && a.offset_bytes < b.offset_bytes + b.bytes &&
         b.offset_bytes < a.offset_bytes + a.bytes;
}

/// One launch that is being checked.
class Launch {
 public:
  Launch(const KernelRecord& kernel, const tenon_args& args, const Held& held)
      : kernel_(kernel), held_(held), real_(args) {}

  /// False if something is refused.
  bool check(Call& call) {
    return check_device(call) && check_streams(call) && find_places(call) && check_overlaps(call);
  }

  std::int32_t run(Call& call) {
    const tenon_capsule& capsule = kernel_.capsule.real;
    const bool is_done = (capsule.traits & TENON_TRAIT_ASYNC) == 0;
    std::optional<Neighbours> neighbours;
    if (is_done) neighbours.emplace(kernel_, places_, workspace_);
    const std::int32_t status = call.run([&] { return capsule.launch(kernel_.real, &real_, held_.stream->real); });
    if (const auto damage = neighbours ? neighbours->damage() : std::nullopt)
      return call.plugin_fault(rule::own_memory, std::string(capsule.name) + ": " + *damage);
    return status;
  }

  void note(KernelRecord& kernel) const {
    Ledger& ledger = Ledger::instance();
    const tenon_capsule& capsule = kernel_.capsule.real;
    const Work work = ledger.submit(held_.stream);
    const bool is_done = (capsule.traits & TENON_TRAIT_ASYNC) == 0;
    const Work used = is_done ? Work{held_.stream, 0} : work;
    const std::string user = "capsule " + std::string(capsule.name);
    for (std::size_t i = 0; i < places_.size(); ++i)
      if (places_[i].memory != nullptr) ledger.use(*places_[i].memory, used, user, kernel_.tensors[i].is_written);
    if (workspace_.memory != nullptr) ledger.use(*workspace_.memory, used, user, true);
    ledger.use(kernel.uses, used);
  }

 private:
  bool check_device(Call& call) const {
    if (kernel_.device == nullptr || kernel_.device == held_.stream->device) return true;
    call.host_fault(rule::one_device, "found " + name_of(kernel_) + ", prepared for " + name_of(*kernel_.device) +
                                          ", on " + name_of(*held_.stream) + " of " + name_of(held_.device()));
    return false;
  }

  bool check_streams(Call& call) const {
    if ((kernel_.capsule.real.traits & TENON_TRAIT_REENTRANT) != 0) return true;
    if (!Ledger::instance().is_pending(kernel_.uses, held_.stream.get())) return true;
    call.host_fault(rule::reentrant, "found " + name_of(kernel_) + " under way on another stream");
    return false;
  }

  bool find_places(Call& call) {
    if (!call.has(kernel_.tensors.empty() || real_.tensors != nullptr, "tensors")) return false;
    if (!call.has(kernel_.scalar_count == 0 || real_.scalars != nullptr, "scalars")) return false;
    for (std::size_t i = 0; i < kernel_.tensors.size(); ++i) {
      const KernelRecord::Tensor& tensor = kernel_.tensors[i];
      auto place = call.place(real_.tensors[i], tensor.bytes, tensor.alignment_bytes, held_.device(),
                              std::string(kernel_.capsule.real.name) + ": " + tensor.role);
      if (!place) return false;
      refs_.push_back(place->real);
      places_.push_back(*std::move(place));
    }
    return find_workspace(call);
  }

  bool find_workspace(Call& call) {
    const std::string name = kernel_.capsule.real.name;
    auto workspace = call.place(real_.workspace, kernel_.workspace_bytes, kernel_.workspace_alignment_bytes,
                                held_.device(), name + ": workspace");
    if (!workspace) return false;
    workspace_ = *std::move(workspace);
    real_.workspace = workspace_.real;
    real_.tensors = refs_.data();
    if ((kernel_.capsule.real.traits & TENON_TRAIT_DEVICE_SCALARS) == 0) return true;
    const auto scalars = call.place(real_.scalar_memory, kernel_.scalar_count * sizeof(tenon_scalar),
                                    alignof(tenon_scalar), held_.device(), name + ": scalars");
    if (scalars) real_.scalar_memory = scalars->real;
    return scalars.has_value();
  }

  bool may_share(std::size_t output, std::size_t other) const {
    const std::vector<std::size_t>& granted = kernel_.tensors[output].in_place;
    return places_[output].offset_bytes == places_[other].offset_bytes &&
           std::ranges::find(granted, other) != granted.end();
  }

  bool check_overlaps(Call& call) const {
    for (std::size_t i = 0; i < places_.size(); ++i)
      for (std::size_t j = 0; j < i && kernel_.tensors[i].is_output; ++j) {
        if (!overlap(places_[i], places_[j]) || may_share(i, j)) continue;
        call.host_fault(rule::aliases, std::string(kernel_.capsule.real.name) + ": found " + kernel_.tensors[i].role +
                                           " in the place of " + kernel_.tensors[j].role);
        return false;
      }
    return true;
  }

  const KernelRecord& kernel_;
  const Held& held_;
  tenon_args real_;
  std::vector<tenon_ref> refs_;
  std::vector<Place> places_;
  Place workspace_;
};

std::int32_t launch(void* handle, const tenon_args* args, tenon_stream* stream) {
  Call call("launch");
  const auto kernel = call.find<KernelRecord>(handle);
  if (kernel == nullptr || !call.has(args != nullptr, "arguments")) return Call::refused;
  const auto held = hold(call, stream);
  if (!held) return Call::refused;
  Launch checked(*kernel, *args, *held);
  if (!checked.check(call)) return Call::refused;
  const std::int32_t status = checked.run(call);
  if (call.answered() == TENON_OK) checked.note(*kernel);
  return status;
}

void release(void* handle) {
  Call call("release", Call::Answer::unread);
  const auto kernel = call.find<KernelRecord>(handle);
  if (kernel == nullptr) return;
  if (const auto busy = Ledger::instance().busy_streams(kernel->uses); !busy.empty()) {
    call.host_fault(rule::last_use, "found " + name_of(*kernel) + " of " + kernel->capsule.real.name +
                                        " under way, expected that it was waited for");
    wait_for(busy);
  }
  Ledger::instance().remove(*kernel);
  call.run([&] { return kernel->capsule.real.release(kernel->real), TENON_OK; });
}

}  // namespace

void put_capsule_slots(tenon_capsule& capsule) {
  capsule.supports = supports;
  capsule.prepare = prepare;
  capsule.launch = launch;
  capsule.release = release;
}

}  // namespace tenon::host
