#include "vjp.h"

#include "tenon/reference_recorder.h"

namespace tenon::vjp {
namespace {

HostArray cotangent_of(const Shape& shape) {
  return drawn_operands({.operands = {shape}, .low = -1, .high = 1}, spec(Op::neg), 7)[0];
}

void add(Case& to, HostArray array) {
  to.operands.push_back(array.shape);
  to.values.push_back(std::move(array.values));
}

Case derived(Op differentiated, const Case& c) {
  ReferenceRecorder recorder;
  const OpSpec& row = spec(differentiated);
  std::vector<Value> operands;
  for (HostArray& array : drawn_operands(c, row))
    operands.push_back(recorder.leaf(std::move(array), row.kind(operands.size())));
  const Value result = recorder.record(differentiated, operands, c.attributes);
  const auto used = recorder.nodes().back().operands();  // operands of different shapes were repeated to one

  Case out{.name = c.name, .attributes = c.attributes, .classes = c.classes, .tolerance = c.tolerance};
  out.check_gradient = false;
  for (const std::uint32_t id : used.first(row.reals.count)) add(out, recorder.array({&recorder, id}));
  add(out, recorder.array(result));
  add(out, cotangent_of(recorder.shape(result)));
  for (const std::uint32_t id : used.subspan(row.reals.count)) add(out, recorder.array({&recorder, id}));
  return out;
}

}  // namespace

void reference(Op differentiated, ReferenceCall& call) {
  const OpSpec& row = spec(vjp_of(differentiated));
  ReferenceRecorder recorder;
  std::vector<Value> operands;
  for (const HostArray& array : call.operands) operands.push_back(recorder.leaf(array, row.kind(operands.size())));
  const auto gradients = composed_vjp(differentiated, operands, call.attributes);
  for (std::size_t i = 0; i < call.outputs.size(); ++i)
    if (gradients[i])
      call.outputs[i].values = recorder.values(gradients[i]);
    else
      std::ranges::fill(call.outputs[i].values, 0.0);
}

std::vector<Case> cases(Op differentiated) {
  std::vector<Case> out;
  for (const Case& c : columns(differentiated).cases()) out.push_back(derived(differentiated, c));
  return out;
}

}  // namespace tenon::vjp

namespace tenon {

std::array<Value, max_operands> composed_vjp(Op differentiated, std::span<const Value> operands,
                                             const Attributes& attributes) {
  const std::size_t reals = spec(differentiated).reals.count;
  std::vector<Value> own(operands.begin(), operands.end());
  const auto beside = own.begin() + static_cast<std::ptrdiff_t>(reals);
  own.erase(beside, beside + 2);
  std::array<bool, max_operands> wanted{};
  wanted.fill(true);
  std::array<Value, max_operands> gradient{};
  GradientCall call{.operands = own,
                    .output = operands[reals],
                    .upstream = operands[reals + 1],
                    .attributes = attributes,
                    .wanted = std::span(wanted).first(reals),
                    .gradient = std::span(gradient).first(reals)};
  columns(differentiated).gradient(call);
  return gradient;
}

}  // namespace tenon
