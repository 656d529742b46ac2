#include <algorithm>

#include "symbolic_recorder.h"
#include "tenon/attributes_text.h"
#include "tenon/contain.h"
#include "tenon/operation_text.h"
#include "tenon/program_text.h"
#include "tenon/text.h"

namespace tenon {
namespace {

using Function = std::function<Value(const ProgramArguments&)>;

/// One function of a program, recorded.
struct Recording {
  SymbolicRecorder recorder;
  std::uint32_t result = 0;
};

/// Which inputs a function takes.
struct Taken {
  std::size_t reals, naturals;
};

std::size_t real_inputs(const Program& program) {
  return static_cast<std::size_t>(std::ranges::count(program.inputs, Kind::real, &InputSpec::kind));
}

Taken taken_by_loss(const Program& program) {
  return {real_inputs(program), program.inputs.size() - real_inputs(program)};
}

using Leaves = std::vector<Value>;

/// Records for the extents that are bound; the others stay what they are.
result<Recording> record(const Program& program, const Function& function, Taken taken, bool training,
                         std::span<const BoundExtent> bound) {
  Recording out{SymbolicRecorder(training)};
  Leaves parameters, states, reals, naturals;
  for (const ParameterSpec& p : program.parameters) parameters.push_back(out.recorder.leaf({Kind::real, p.shape}));
  for (const StateSpec& s : program.states) states.push_back(out.recorder.leaf({Kind::real, s.shape}));
  for (const InputSpec& i : program.inputs)
    (i.kind == Kind::real ? reals : naturals).push_back(out.recorder.leaf({i.kind, bind_extents(i.shape, bound)}));
  out.result = function({out.recorder, parameters, std::span(reals).first(taken.reals),
                         std::span(naturals).first(taken.naturals), states})
                   .id;
  TENON_CHECK(out.recorder.status());
  return out;
}

bool same_node(const Node& symbolic, const Node& real, std::span<const BoundExtent> bound) {
  return symbolic.op == real.op && symbolic.output == real.output &&
         std::ranges::equal(symbolic.operands(), real.operands()) &&
         to_string(bind_extents(symbolic.attributes, bound)) == to_string(real.attributes);
}

bool same_type(const OperandType& symbolic, const OperandType& real, std::span<const BoundExtent> bound) {
  return symbolic.kind == real.kind && admits(bind_extents(symbolic.shape, bound), real.shape);
}

bool same_update(const Graph::StateUpdate& a, const Graph::StateUpdate& b) {
  return a.state == b.state && a.value == b.value;
}

/// Does a recording stand for another one, made for numbers?
bool stands_for(const Recording& symbolic, const Recording& real, std::span<const BoundExtent> bound) {
  const SymbolicRecorder &a = symbolic.recorder, &b = real.recorder;
  return symbolic.result == real.result &&
         std::ranges::equal(a.nodes(), b.nodes(), [&](auto& x, auto& y) { return same_node(x, y, bound); }) &&
         std::ranges::equal(a.types(), b.types(), [&](auto& x, auto& y) { return same_type(x, y, bound); }) &&
         std::ranges::equal(a.state_updates(), b.state_updates(), same_update);
}

std::vector<Extent> unknown_extents(const Program& program) {
  std::vector<Extent> out;
  for (const InputSpec& input : program.inputs)
    for (const Extent e : input.shape.extents())
      if (!is_known(e) && std::ranges::find(out, e) == out.end()) out.push_back(e);
  return out;
}

/// Numbers that no program has by chance.
std::vector<BoundExtent> unlikely_numbers(const Program& program) {
  std::vector<BoundExtent> out;
  for (const Extent name : unknown_extents(program))
    out.push_back({name, Extent{1009} + 104 * static_cast<Extent>(out.size())});
  return out;
}

std::vector<BoundExtent> all_bound(const Program& program, std::span<const BoundExtent> given) {
  std::vector<BoundExtent> out;
  for (const Extent name : unknown_extents(program)) {
    const auto found = std::ranges::find(given, name, &BoundExtent::name);
    out.push_back({name, found == given.end() ? nominal_extent : found->number});
  }
  return out;
}

std::string declaration(std::size_t id, std::string_view word, std::string_view name, const Shape& shape) {
  return "%" + std::to_string(id) + " = " + std::string(word) + " " + name_text(name) + " : " + to_string(shape);
}

std::string declarations(const Program& program, std::span<const BoundExtent> bound) {
  std::string out;
  std::size_t id = 0;
  for (const ParameterSpec& p : program.parameters)
    out += declaration(id++, p.requires_grad ? "parameter" : "frozen parameter", p.name, p.shape) + "\n";
  for (const StateSpec& s : program.states)
    out += declaration(id++, "state", s.name, s.shape) + " = " + shortest(s.initial) + "\n";
  for (const InputSpec& i : program.inputs)
    out += declaration(id++, i.kind == Kind::real ? "input" : "natural", i.name, bind_extents(i.shape, bound)) + "\n";
  return out;
}

/// Does the recording use each of those leaves?
bool uses_each(const Recording& recording, std::size_t first, std::size_t count) {
  std::vector<bool> used(count);
  const auto use = [&](std::uint32_t id) {
    if (id >= first && id < first + count) used[id - first] = true;
  };
  for (const Node& node : recording.recorder.nodes()) std::ranges::for_each(node.operands(), use);
  for (const Graph::StateUpdate& update : recording.recorder.state_updates()) use(update.value);
  use(recording.result);
  return std::ranges::find(used, false) == used.end();
}

/// "forward", with the inputs that it takes where it does not use them all: a reader could not know.
std::string forward_heading(const Program& program, const Recording& recording) {
  const std::size_t first_real = program.parameters.size() + program.states.size();
  const std::size_t first_natural = first_real + real_inputs(program);
  if (uses_each(recording, first_real, program.forward_reals) &&
      uses_each(recording, first_natural, program.forward_naturals))
    return "forward";
  std::vector<std::string> labels;
  for (std::size_t i = 0; i < program.forward_reals; ++i) labels.push_back("%" + std::to_string(first_real + i));
  for (std::size_t i = 0; i < program.forward_naturals; ++i) labels.push_back("%" + std::to_string(first_natural + i));
  return "forward takes (" + join(labels) + ")";
}

std::string section(std::string_view name, const Recording& recording) {
  const SymbolicRecorder& recorder = recording.recorder;
  std::string out = std::string(name) + "\n";
  for (const Node& node : recorder.nodes()) out += "  " + operation_text(node, recorder.types()) + "\n";
  for (const Graph::StateUpdate& update : recorder.state_updates())
    out += "  " + update_text(update.state, update.value) + "\n";
  return out + "  return %" + std::to_string(recording.result) + "\n";
}

/// Every section for one choice of extents. `check` are numbers that each must record alike for; none: it is not asked.
class Printer {
 public:
  Printer(const Program& program, std::span<const BoundExtent> bound, std::span<const BoundExtent> check)
      : program_(program), bound_(bound), check_(check) {}

  result<std::string> print() {
    std::string out = "tenon program 1\nname " + name_text(program_.name) + "\n" + declarations(program_, bound_);
    const Taken forward{program_.forward_reals, program_.forward_naturals};
    TENON_TRY(const Recording recording, recorded(program_.forward, forward, false));
    out += section(forward_heading(program_, recording), recording);
    if (!program_.loss) return out;
    TENON_TRY(const Recording evaluated, recorded(program_.loss, taken_by_loss(program_), false));
    TENON_TRY(const Recording trained, recorded(program_.loss, taken_by_loss(program_), true));
    out += section("loss", evaluated);
    const bool differs = section("", evaluated) != section("", trained);
    return out + (differs ? section("loss training", trained) : std::string());
  }

 private:
  result<Recording> recorded(const Function& function, Taken taken, bool training) {
    TENON_TRY(Recording recording, record(program_, function, taken, training, bound_));
    if (check_.empty()) return recording;
    TENON_TRY(const Recording real, record(program_, function, taken, training, check_));
    if (stands_for(recording, real, check_)) return recording;
    return fail(Reason::INVALID_ARGUMENT, "[program] its operations depend on its extents");
  }

  const Program& program_;
  std::span<const BoundExtent> bound_, check_;
};

}  // namespace

result<std::string> to_text(const Program& program, std::span<const BoundExtent> otherwise) {
  return contained("program", [&]() -> result<std::string> {
    TENON_CHECK(check_has_forward(program));
    const std::vector<BoundExtent> numbers = unlikely_numbers(program);
    if (auto symbolic = Printer(program, {}, numbers).print()) return symbolic;
    return Printer(program, all_bound(program, otherwise), {}).print();
  });
}

}  // namespace tenon
