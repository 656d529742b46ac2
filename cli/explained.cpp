#include <algorithm>
#include <iostream>

#include "explain.h"
#include "table.h"
#include "tenon/attributes_text.h"
#include "tenon/gaps.h"

namespace tenon::cli {
namespace {

std::vector<ExplainedLeaf> leaves_of(const Program& program, std::span<const Shape> inputs) {
  std::vector<ExplainedLeaf> out;
  for (const ParameterSpec& p : program.parameters)
    out.push_back({p.requires_grad ? "parameter" : "frozen parameter", p.name, p.shape});
  for (const StateSpec& s : program.states) out.push_back({"state", s.name, s.shape});
  for (std::size_t i = 0; i < inputs.size(); ++i)
    out.push_back({program.inputs[i].kind == Kind::real ? "input" : "natural", program.inputs[i].name, inputs[i]});
  return out;
}

std::vector<ExplainedLeaf> leaves_of(const OpSpec& row, std::span<const Shape> operands) {
  std::vector<ExplainedLeaf> out;
  for (std::size_t i = 0; i < operands.size(); ++i)
    out.push_back({row.kind(i) == Kind::real ? "input" : "natural", std::string(row.operand(i)), operands[i]});
  return out;
}

result<void> add_part(Explained& explained, std::string name, GradientMode mode, RecordedProgram recorded) {
  ExplainedPart part{std::move(name), mode, std::move(recorded), {}};
  const Precision precision{explained.selection.real, mode};
  const Graph& graph = part.recorded.graph;
  const auto& registry = explained.selection.registry;
  TENON_TRY(part.operations, registry ? explain(graph, *registry, precision) : explain(graph, precision));
  explained.parts.push_back(std::move(part));
  return {};
}

/// Equal but for the gradient mode.
bool ask_the_same(const Request& a, const Request& b) {
  return a.op == b.op && a.attributes == b.attributes && a.operands == b.operands && a.outputs == b.outputs;
}

void add_demand(std::vector<Demand>& demands, const ExplainedPart& part, const ExplainedOperation& operation) {
  auto demand = std::ranges::find_if(
      demands, [&](const Demand& known) { return ask_the_same(*known.request, operation.request); });
  if (demand == demands.end()) demand = demands.insert(demand, Demand{.request = &operation.request});
  ++demand->times;
  (part.mode == GradientMode::training ? demand->training : demand->evaluation) = true;
}

/// Nothing could be chosen from: one reason for all operations.
Error nothing_chosen(const Error& why, std::size_t operations) {
  const std::string first = why.text.substr(0, why.text.find('\n'));
  return {why.reason, first + ": no kernel for " + counted(operations, "operation"), why.hint};
}

std::string without_origin(const std::string& text) {
  const auto end = text.starts_with('[') ? text.find("] ") : text.npos;
  return end != text.npos ? text.substr(end + 2) : text;
}

}  // namespace

result<Explained> explain_program(std::span<const std::string> words, const ProgramChoice& choice, Parts parts,
                                  const ExecConfig& exec) {
  TENON_TRY(const Program program, find_program(words, choice));
  TENON_TRY(const std::vector<Shape> inputs, input_shapes(program, choice.extents));
  exec.log();
  TENON_TRY(Selection selection, select_for(exec, std::cerr));
  Explained out{"program", program.name, std::move(selection), exec.scalar_type().strict(), leaves_of(program, inputs),
                {}};
  if (parts.forward) {
    TENON_TRY(RecordedProgram forward, record_forward(program, inputs));
    TENON_CHECK(add_part(out, "forward", GradientMode::evaluation, std::move(forward)));
  }
  if (parts.training && program.loss) {
    const auto& registry = out.selection.registry;
    const OwnGradient own = registry ? own_gradients(*registry, out.selection.real) : OwnGradient();
    TENON_TRY(RecordedProgram training, record_training(program, inputs, own));
    TENON_CHECK(add_part(out, "loss and gradient", GradientMode::training, std::move(training)));
  }
  return out;
}

result<Explained> explain_operation(const OperationChoice& choice, const ExecConfig& exec) {
  const OpSpec& row = *choice.row;
  const std::vector<Shape> operands = choice.shapes.value_or(std::vector<Shape>());
  TENON_TRY(const Attributes attributes, attributes_of(choice));
  TENON_TRY(RecordedProgram recorded, record_operation(row, operands, attributes, choice.training));
  exec.log();
  TENON_TRY(Selection selection, select_for(exec, std::cerr));
  Explained out{
      "operation", std::string(row.name), std::move(selection), exec.scalar_type().strict(), leaves_of(row, operands),
      {}};
  const GradientMode mode = choice.training ? GradientMode::training : GradientMode::evaluation;
  TENON_CHECK(add_part(out, "operation", mode, std::move(recorded)));
  return out;
}

std::vector<Demand> demands_of(const Explained& explained) {
  std::vector<Demand> out;
  for (const ExplainedPart& part : explained.parts)
    for (const ExplainedOperation& operation : part.operations) add_demand(out, part, operation);
  std::ranges::stable_sort(out, {}, [](const Demand& demand) { return demand.request->op; });
  return out;
}

std::optional<Error> gaps_of(const Explained& explained) {
  const Selection& selection = explained.selection;
  Gaps gaps;
  std::size_t operations = 0;
  for (const ExplainedPart& part : explained.parts)
    for (const ExplainedOperation& operation : part.operations) {
      ++operations;
      if (operation.choice.capsule == nullptr)
        gaps.add(explain_gap(operation.request, operation.choice, selection.device),
                 "%" + std::to_string(operation.node.output) + " of " + part.name);
    }
  if (gaps.empty()) return std::nullopt;
  return selection.registry ? gaps.error(selection.device) : nothing_chosen(*selection.unopened, operations);
}

std::string unopened_text(const Selection& selection) {
  if (!selection.unopened) return {};
  const std::string why = without_origin(selection.unopened->text);
  if (!selection.registry) return "no plugin was loaded: " + why + "\n";
  return "no device was opened: " + why + ";\n  answered for any device of domain " +
         selection.registry->target().memory_domain +
         (selection.asked ? "" : " by what its capsules declare: they could not be asked") + "\n";
}

}  // namespace tenon::cli
