#include <algorithm>

#include "kernel_run.h"
#include "tenon/resolved_graph.h"

namespace tenon::check {
namespace {

bool equal(tenon_dtype a, tenon_dtype b) { return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes; }

/// Before anything is drawn: of an operation's operands and results only the real ones vary in dtype.
bool takes(const tenon_dtypes& row, const OpSpec& op, DType real) {
  std::vector<tenon_dtype> types;
  for (std::size_t i = 0; i < op.operand_count(); ++i)
    types.push_back(to_abi(op.kind(i) == Kind::natural ? DType::u32 : real));
  types.insert(types.end(), op.output_count(), to_abi(real));
  return std::ranges::equal(std::span(row.of, row.count), types, equal);
}

bool takes(const tenon_capsule& capsule, const OpSpec& op, DType real) {
  const std::span rows(capsule.dtypes, capsule.dtypes_count);
  return std::ranges::any_of(rows, [&](const tenon_dtypes& row) { return takes(row, op, real); });
}

bool is_strict(const tenon_capsule& capsule) { return (capsule.numerics->flags & TENON_NUMERICS_STRICT) != 0; }

Request request_for(Op op, std::span<const HostArray> operands, const Attributes& attributes, Precision precision) {
  std::vector<OperandType> types;
  for (const HostArray& operand : operands) types.push_back({spec(op).kind(types.size()), operand.shape});
  std::vector<const OperandType*> pointers;
  for (const OperandType& type : types) pointers.push_back(&type);
  Message why;
  return request_of(op, pointers, infer(op, types, attributes, why), attributes, precision);
}

}  // namespace

DrawnCase::DrawnCase(const tenon_capsule& capsule, Op op, const Case& drawn, DType real_type, GradientMode mode)
    : name("case '" + drawn.name + "' in " + std::string(tenon::name(real_type))),
      source(drawn),
      real(real_type),
      operands(as_kernels_receive(op, operands_of(op, drawn, real_type), drawn.attributes)),
      request(request_for(op, operands, drawn.attributes, {real_type, mode})),
      signature(request, is_strict(capsule)) {}

std::vector<Bytes> DrawnCase::operand_bytes() const {
  std::vector<Bytes> out;
  for (const HostArray& operand : operands) out.push_back(to_bytes(operand, request.operands[out.size()].dtype));
  return out;
}

bool DrawnCase::has_elements() const {
  const auto any = [](const TensorType& type) { return known_elements(type.shape) > 0; };
  return std::ranges::all_of(request.outputs, any) && std::ranges::all_of(request.operands, any);
}

namespace {

/// Calls back for every case until the answer is that this is enough.
Verdict while_wanted(const tenon_capsule& capsule, const std::function<sought<bool>(const DrawnCase&)>& visit) {
  const OpSpec* row = find_op(capsule.op);
  if (row == nullptr) return skipped("this Tenon's table has no operation " + std::string(capsule.op));
  const bool of_training = row->role == Role::update || row->role == Role::vjp;
  const GradientMode mode = of_training ? GradientMode::training : GradientMode::evaluation;
  bool is_asked = false;
  for (const DType real : {DType::f32, DType::f64}) {
    if (!takes(capsule, *row, real)) continue;
    for (const Case& source : columns(row->op).cases()) {
      is_asked = true;
      TENON_SEEK(const bool goes_on, visit(DrawnCase(capsule, row->op, source, real, mode)));
      if (!goes_on) return {};
    }
  }
  if (is_asked) return {};
  const tenon_dtypes& first = capsule.dtypes[0];
  if (first.count == 0) return skipped("its dtypes are empty: see interface/capsule-fields");
  return skipped("it takes no dtypes that this Tenon has: " + to_string(first.of[0]));
}

}  // namespace

Verdict for_each_case(const tenon_capsule& capsule, const std::function<Verdict(const DrawnCase&)>& visit) {
  return while_wanted(capsule, [&](const DrawnCase& drawn) -> sought<bool> {
    TENON_HOLDS(visit(drawn));
    return true;
  });
}

tl::unexpected<Finding> serves_nothing() { return skipped("it serves none of the table's cases: see capsules/serves"); }

sought<std::unique_ptr<DrawnCase>> a_served_case(const Lane& lane, const tenon_capsule& capsule) {
  std::unique_ptr<DrawnCase> out;
  TENON_HOLDS(while_wanted(capsule, [&](const DrawnCase& drawn) -> sought<bool> {
    if (!drawn.has_elements()) return true;
    TENON_SEEK(const bool is_served, serves(lane, capsule, drawn.signature.get()));
    if (is_served)
      out = std::make_unique<DrawnCase>(capsule, drawn.request.op, drawn.source, drawn.real, drawn.request.mode);
    return !is_served;
  }));
  if (out == nullptr) return serves_nothing();
  return out;
}

sought<Served> served_case(Bench& bench, const tenon_capsule& capsule) {
  TENON_SEEK(Lane* const lane, bench.lane());
  TENON_SEEK(auto drawn, a_served_case(*lane, capsule));
  return Served{lane, std::move(drawn)};
}

tl::unexpected<Finding> in_case(const DrawnCase& drawn, Finding finding) {
  finding.found = drawn.name + ": " + finding.found;
  return tl::unexpected(std::move(finding));
}

}  // namespace tenon::check
