#include "launch.h"

namespace tenon::vulkan {
namespace {

constexpr std::uint64_t max_groups = 65535;  // every device has as many along each axis

Range range_of(const Slot& slot, const Arguments& arguments, const Buffer& nothing) {
  tenon_ref ref = slot.kind == Slot::Kind::operand  ? arguments.operand_ref(slot.number)
                  : slot.kind == Slot::Kind::output ? arguments.output_ref(slot.number)
                                                    : arguments.raw().workspace;
  if (slot.bytes == 0 || ref.memory == 0) return {nothing.buffer, 0, nothing.bytes};
  const auto& buffer = *reinterpret_cast<const Buffer*>(ref.memory);
  return {buffer.buffer, ref.offset_bytes + slot.offset_bytes, slot.bytes};
}

}  // namespace

Launch::Launch(const Plan& plan, Device& device, const SignatureView& signature)
    : workspace_bytes_(plan.workspace_bytes()) {
  char words[256];
  tenon_text reason{words, sizeof words, 0};
  Reason why(&reason);
  if (!fits(&device, signature, why) || !fits(&device, plan, why))
    plugin::refuse("[", signature.op(), "] ", std::string_view(words, reason.length));
  for (const Pass& pass : plan.passes()) {
    const bool nothing = pass.copies ? pass.slots[1].bytes == 0 : pass.invocations == 0 && pass.workgroups[0] == 0;
    if (!nothing) steps_.push_back(step_of(pass, device, binary64(signature)));
  }
}

Launch::Step Launch::step_of(const Pass& pass, Device& device, bool binary64) {
  Step step{VK_NULL_HANDLE, pass.workgroups, pass.slots, pass.push, pass.copies};
  if (pass.copies) return step;
  const bool varies = pass.on_software && device.physical().software();
  Constants constants = varies ? pass.on_software->constants : pass.constants;
  const std::uint64_t invocations = varies ? pass.on_software->invocations : pass.invocations;
  if (constants[0] == 0) constants[0] = device.workgroup();
  if (invocations != 0) {
    const std::uint64_t groups = (invocations + constants[0] - 1) / constants[0];
    step.groups = {static_cast<std::uint32_t>(std::min(groups, max_groups)), 1, 1};
  }
  step.pipeline = device.pipelines().get(pass.shader, binary64, constants);
  return step;
}

void Launch::operator()(const Arguments& arguments, Stream& stream, const Push* scalars) const {
  const Buffer& nothing = stream.device().nothing();
  for (const Step& step : steps_) {
    if (step.copies) {
      const Range from = range_of(step.slots[0], arguments, nothing), to = range_of(step.slots[1], arguments, nothing);
      const bool in_place = from.buffer == to.buffer && from.offset == to.offset;
      if (!in_place) stream.copy(to, from);
      continue;
    }
    Command& command = stream.next();
    command.kind = Command::Kind::dispatch;
    command.pipeline = step.pipeline;
    command.groups = step.groups;
    command.range_count = static_cast<std::uint32_t>(step.slots.size());
    command.written = 0;
    for (std::uint32_t i = 0; i < command.range_count; ++i) {
      command.ranges[i] = range_of(step.slots[i], arguments, nothing);
      if (step.slots[i].written) command.written |= 1u << i;
    }
    const Push& push = scalars == nullptr ? step.push : *scalars;
    command.push_bytes = (push.bytes() + 3) / 4 * 4;
    std::memcpy(command.push.data(), push.data(), command.push_bytes);
  }
}

namespace {

std::uint64_t binding_limit(const Device* device) {
  constexpr std::uint64_t countable = std::uint64_t{1} << 31;  // kernels count in 32 bits
  if (device == nullptr) return countable;
  return std::min<std::uint64_t>(countable, device->physical().properties.limits.maxStorageBufferRange);
}

bool fits_binding(const TensorView& tensor, std::uint64_t limit, Reason& why) {
  if (tensor.bytes() <= limit) return true;
  return why.decline("a tensor ", tensor.shape(), " of ", tensor.bytes(), " bytes: this device binds at most ", limit);
}

}  // namespace

bool fits(const Device* device, const SignatureView& signature, Reason& why) {
  if (device != nullptr && !device->strict_failure.words.empty()) return why.decline(device->strict_failure.words);
  const std::uint64_t limit = binding_limit(device);
  for (std::uint32_t i = 0; i < signature.operand_count(); ++i) {
    if (!fits_binding(signature.operand(i), limit, why)) return false;
  }
  for (std::uint32_t i = 0; i < signature.output_count(); ++i) {
    if (!fits_binding(signature.output(i), limit, why)) return false;
  }
  return true;
}

bool fits(const Device* device, const Plan& plan, Reason& why) {
  const std::uint64_t limit = binding_limit(device);
  for (const Pass& pass : plan.passes()) {
    for (const Slot& slot : pass.slots) {
      if (slot.bytes > limit)
        return why.decline("needs a workspace of ", slot.bytes, " bytes: bound are at most ", limit);
    }
  }
  return true;
}

}  // namespace tenon::vulkan
