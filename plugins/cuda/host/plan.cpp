#include "plan.h"

#include "vendor.h"

namespace tenon::gpu {
namespace {

using plugin::refuse;
using plugin::text;

constexpr std::uint64_t workspace_alignment_bytes = 64;

std::string suffix_of(const SignatureView& signature) { return text("_", signature.output().dtype()); }

}  // namespace

Plan::Plan(const SignatureView& signature, Device& device)
    : signature_(&signature), device_(device), suffix_(suffix_of(signature)) {}

Workspace Plan::workspace(std::uint64_t bytes) {
  const Workspace place{workspace_bytes_};
  workspace_bytes_ += (bytes + workspace_alignment_bytes - 1) / workspace_alignment_bytes * workspace_alignment_bytes;
  return place;
}

// -- preparing ----------------------------------------------------------------------------------------------

Plan::Launch& Plan::begin(std::string_view family, std::string_view kernel, std::uint64_t blocks) {
  const std::string name = text(kernel, suffix_);
  if (blocks > vendor.max_blocks) {
    refuse("[", signature_->op(), "] ", signature_->output().shape(), " needs ", blocks, " blocks of ", block_threads,
           " threads: at most ", vendor.max_blocks, " are launched at once");
  }
  return launches_.emplace_back(
      Launch{device_.function(family, name), static_cast<std::uint32_t>(blocks), name, {}, {}, {}});
}

void Plan::finish(const Launch& launch) const {
  if (launch.parameters.size() > max_parameters)
    refuse("[", signature_->op(), "] kernel ", launch.name, " has ", launch.parameters.size(), " parameters: at most ",
           max_parameters);
}

void Plan::append(Launch& launch, Source source, std::uint64_t number) {
  launch.patches.push_back({source, static_cast<std::uint32_t>(launch.parameters.size()), number});
  launch.parameters.push_back(0);
}

void Plan::append(Launch& launch, std::unique_ptr<Computed> value) {
  append(launch, Source::computed, computed_.size());
  computed_.push_back(std::move(value));
}

void Plan::append_bytes(Launch& launch, const void* value, std::size_t bytes) {
  const std::size_t at = launch.constants.size();
  launch.constants.resize(at + (bytes + 7) / 8);
  std::memcpy(&launch.constants[at], value, bytes);
  launch.parameters.push_back(static_cast<std::uint32_t>(at));
}

// -- running: no allocation, no lock, no lookup -------------------------------------------------------------

void Plan::patch(const Patch& patch, const Arguments& arguments, Value& value) const {
  const auto number = static_cast<std::uint32_t>(patch.number);
  switch (patch.source) {
    case Source::operand:
      value.address = address_of(arguments.operand_ref(number));
      break;
    case Source::output:
      value.address = address_of(arguments.output_ref(number));
      break;
    case Source::workspace:
      value.address = address_of(arguments.raw().workspace) + patch.number;
      break;
    case Source::scalar:
      value.scalar = arguments.scalar(number);
      break;
    case Source::computed:
      computed_[number]->write(arguments, value.bytes);
      break;
  }
}

void Plan::run(const Launch& launch, const Arguments& arguments, const Stream& stream) const {
  void* parameters[max_parameters];
  Value values[max_parameters];
  for (std::size_t i = 0; i < launch.parameters.size(); ++i)
    parameters[i] = const_cast<std::uint64_t*>(launch.constants.data()) + launch.parameters[i];
  for (const Patch& p : launch.patches) {
    patch(p, arguments, values[p.parameter]);
    parameters[p.parameter] = &values[p.parameter];
  }
  const Status status = stream.launch(launch.function, launch.blocks, parameters);
  if (status != success) stream.device().fail(status, launch.name.c_str());
}

void Plan::run(const Arguments& arguments) const {
  const Stream& stream = plugin::from_handle<Stream>(arguments.stream());
  stream.device().make_current();
  if (copied_bytes_ != 0) {
    const Address from = address_of(arguments.operand_ref(0)), to = address_of(arguments.output_ref(0));
    if (from != to) stream.copy(to, from, copied_bytes_);
  }
  for (const Launch& launch : launches_) run(launch, arguments, stream);
}

}  // namespace tenon::gpu
