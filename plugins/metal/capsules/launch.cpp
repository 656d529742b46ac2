#include "launch.h"

namespace tenon::metal {
namespace {

constexpr std::uint32_t usual_threads = 64;      // of a threadgroup, where any number is right
constexpr std::uint64_t most_groups = 1u << 16;  // of those; their kernels go round

Range range_of(const Slot& slot, const Arguments& arguments, const Buffer& nothing) {
  const tenon_ref ref = slot.kind == Slot::Kind::operand  ? arguments.operand_ref(slot.number)
                        : slot.kind == Slot::Kind::output ? arguments.output_ref(slot.number)
                                                          : arguments.raw().workspace;
  if (slot.bytes == 0 || ref.memory == 0) return {&nothing, 0, nothing.bytes};
  return {reinterpret_cast<const Buffer*>(ref.memory), ref.offset_bytes + slot.offset_bytes, slot.bytes};
}

std::uint32_t groups32(const SignatureView& signature, std::uint64_t groups) {
  if (groups > UINT32_MAX) throw Unserved("[", signature.op(), "] needs ", groups, " threadgroups along an axis");
  return static_cast<std::uint32_t>(groups);
}

}  // namespace

Launch::Launch(const Plan& plan, Device& device, const SignatureView& signature, bool strict)
    : workspace_bytes_(plan.workspace_bytes()) {
  char words[256];
  tenon_text reason{words, sizeof words, 0};
  Reason why(&reason);
  if (!fits(&device, signature, strict, why) || !fits(&device, plan, why))
    plugin::refuse("[", signature.op(), "] ", std::string_view(words, reason.length));
  for (const Pass& pass : plan.passes()) {
    if (pass.does_nothing()) continue;
    Step& step = steps_.emplace_back(step_of(pass, device));
    if (pass.threads != 0) continue;
    for (std::size_t axis = 0; axis < step.groups.size(); ++axis)
      step.groups[axis] = groups32(signature, pass.groups[axis]);
  }
}

Launch::Step Launch::step_of(const Pass& pass, Device& device) {
  Step step{pass.does, nullptr, {}, pass.group_threads, pass.slots, pass.constants};
  if (pass.does != Pass::Does::compute) return step;
  step.pipeline = &device.pipelines().get(pass.kernel);
  if (pass.threads != 0) {
    step.group_threads = std::min(usual_threads, step.pipeline->max_threads);
    const std::uint64_t groups = (pass.threads + step.group_threads - 1) / step.group_threads;
    step.groups = {static_cast<std::uint32_t>(std::min(groups, most_groups)), 1, 1};
  }
  if (step.group_threads <= step.pipeline->max_threads) return step;
  plugin::refuse("[metal] the kernel ", std::string_view(pass.kernel), " needs threadgroups of ", step.group_threads,
                 " threads: this device runs it with at most ", step.pipeline->max_threads);
}

void Launch::operator()(const Arguments& arguments, Stream& stream, const Constants* scalars) const {
  const Buffer& nothing = stream.device().nothing();
  for (const Step& step : steps_) {
    if (step.does == Pass::Does::copy) {
      const Range from = range_of(step.slots[0], arguments, nothing), to = range_of(step.slots[1], arguments, nothing);
      const bool in_place = from.buffer == to.buffer && from.offset == to.offset;
      if (!in_place) stream.copy(to, from);
      continue;
    }
    Command& command = stream.next();
    command.range_count = static_cast<std::uint32_t>(step.slots.size());
    for (std::uint32_t i = 0; i < command.range_count; ++i)
      command.ranges[i] = range_of(step.slots[i], arguments, nothing);
    const Constants& constants = scalars == nullptr ? step.constants : *scalars;
    if (step.does == Pass::Does::make) {
      command.kind = Command::Kind::make;
      std::memcpy(&command.made, constants.data(), sizeof command.made);
      continue;
    }
    command.kind = Command::Kind::dispatch;
    command.pipeline = step.pipeline;
    command.groups = step.groups;
    command.group_threads = step.group_threads;
    command.constant_bytes = constants.bytes();
    std::memcpy(command.constants.data(), constants.data(), constants.bytes());
  }
}

namespace {

std::uint64_t buffer_limit(const Device* device) {
  return device == nullptr ? max_elements : std::min(max_elements, device->gpu().max_buffer_bytes);
}

bool fits_buffer(const TensorView& tensor, std::uint64_t limit, Reason& why) {
  if (tensor.bytes() <= limit) return true;
  return why.decline("a tensor ", tensor.shape(), " of ", tensor.bytes(), " bytes: this device binds at most ", limit);
}

}  // namespace

bool fits(const Device* device, const SignatureView& signature, bool strict, Reason& why) {
  if (strict && device != nullptr && !device->strict_failure.words.empty())
    return why.decline(device->strict_failure.words);
  const std::uint64_t limit = buffer_limit(device);
  for (std::uint32_t i = 0; i < signature.operand_count(); ++i) {
    if (!fits_buffer(signature.operand(i), limit, why)) return false;
  }
  for (std::uint32_t i = 0; i < signature.output_count(); ++i) {
    if (!fits_buffer(signature.output(i), limit, why)) return false;
  }
  return true;
}

bool fits(const Device* device, const Plan& plan, Reason& why) {
  const std::uint64_t limit = buffer_limit(device);
  for (const Pass& pass : plan.passes()) {
    for (const Slot& slot : pass.slots) {
      if (slot.bytes > limit)
        return why.decline("needs a workspace of ", slot.bytes, " bytes: bound are at most ", limit);
    }
  }
  return true;
}

}  // namespace tenon::metal
