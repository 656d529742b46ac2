#include "kernel.h"

#include "tenon/plugin.hpp"
#include "words.h"

namespace tenon::late {
namespace {

using plugin::KernelError;
using plugin::refuse;

constexpr std::uint64_t tensor_alignment = 64;

std::uint64_t bytes_of(const tenon_signature& signature, std::uint32_t value) {
  return plugin::TensorView(*signature.values[value]).bytes();
}

bool overlap(tenon_ref a, std::uint64_t a_bytes, tenon_ref b, std::uint64_t b_bytes) {
  return a.memory == b.memory && a_bytes != 0 && b_bytes != 0 && a.offset_bytes < b.offset_bytes + b_bytes &&
         b.offset_bytes < a.offset_bytes + a_bytes;
}

tenon_ref address(const std::byte* place) { return {reinterpret_cast<std::uintptr_t>(place), 0}; }

}  // namespace

Kernel::Kernel(const tenon_capsule& inner, const tenon_signature& signature)
    : inner_(inner), input_count_(signature.input_count), scalar_count_(signature.scalar_count) {
  const std::size_t tensors = std::size_t{signature.input_count} + signature.output_count;
  if (tensors > max_tensors || scalar_count_ > max_scalars) {
    refuse("[late] ", tensors, " tensors and ", scalar_count_, " scalars: at most ", max_tensors, " and ", max_scalars);
  }
  for (std::uint32_t i = 0; i < signature.input_count; ++i) bytes_.push_back(bytes_of(signature, signature.inputs[i]));
  for (std::uint32_t i = 0; i < signature.output_count; ++i)
    bytes_.push_back(bytes_of(signature, signature.outputs[i]));

  prepared_.size = sizeof prepared_;
  const std::int32_t status = inner.prepare(&inner, nullptr, &signature, &prepared_);
  if (status != TENON_OK) throw KernelError(status, last_words());
}

Kernel::~Kernel() { inner_.release(prepared_.kernel); }

tenon_kernel Kernel::description() {
  tenon_kernel description = prepared_;
  description.kernel = this;
  return description;
}

LaunchArguments Kernel::copy(const tenon_args& args) const {
  LaunchArguments copied{};
  std::copy(args.tensors, args.tensors + bytes_.size(), copied.tensors);
  if (scalar_count_ != 0) std::copy(args.scalars, args.scalars + scalar_count_, copied.scalars);
  copied.workspace = args.workspace;
  copied.launch_id = args.launch_id;
  return copied;
}

std::byte* Kernel::place(const LaunchArguments& arguments, std::size_t tensor, const Memory& memory) const {
  const Subject subject =
      tensor < input_count_ ? Subject{inner_.op, "input", tensor} : Subject{inner_.op, "output", tensor - input_count_};
  return memory.at(arguments.tensors[tensor], bytes_[tensor], tensor_alignment, subject);
}

std::byte* Kernel::workspace(const LaunchArguments& arguments, const Memory& memory) const {
  return memory.at(arguments.workspace, prepared_.workspace_bytes, tensor_alignment, {inner_.op, "workspace"});
}

void Kernel::check(const LaunchArguments& arguments, const Memory& memory) const {
  for (std::size_t i = 0; i < bytes_.size(); ++i) place(arguments, i, memory);
  workspace(arguments, memory);
  check_overlaps(arguments);
}

// An output may stand in an input's place, exactly, if the kernel granted that; anything else would be overwritten
// while it is still needed.
void Kernel::check_overlaps(const LaunchArguments& arguments) const {
  for (std::size_t output = input_count_; output < bytes_.size(); ++output) {
    for (std::size_t other = 0; other < output; ++other) {
      const tenon_ref a = arguments.tensors[output], b = arguments.tensors[other];
      if (!overlap(a, bytes_[output], b, bytes_[other])) continue;
      const bool in_place = other < input_count_ && prepared_.alias_count != 0 && a.offset_bytes == b.offset_bytes;
      if (in_place) continue;
      refuse("[", std::string_view(inner_.op), "] output ", output - input_count_, " overlaps ",
             other < input_count_ ? "input " : "output ", other < input_count_ ? other : other - input_count_,
             ", which was not granted");
    }
  }
}

std::int32_t Kernel::run(const LaunchArguments& arguments, const Memory& memory) const {
  tenon_ref places[max_tensors];
  for (std::size_t i = 0; i < bytes_.size(); ++i) places[i] = address(place(arguments, i, memory));
  tenon_args args{};
  args.tensors = places;
  args.scalars = arguments.scalars;
  args.workspace = address(workspace(arguments, memory));
  args.launch_id = arguments.launch_id;
  return inner_.launch(prepared_.kernel, &args, nullptr);
}

}  // namespace tenon::late
