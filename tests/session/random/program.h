// program.h: a program as plain data, so that it can be drawn, run, shrunk and printed.
#pragma once
#include <optional>
#include <utility>

#include "tenon/attributes_text.h"
#include "tenon/graph.h"
#include "tenon/random.h"
#include "tenon/session.h"

namespace tenon::test {

/// A value of such a program: line `i`, or leaf `~i`.
using Ref = int;
constexpr bool is_leaf(Ref ref) { return ref < 0; }
constexpr std::size_t leaf_index(Ref ref) { return static_cast<std::size_t>(~ref); }
constexpr std::size_t line_index(Ref ref) { return static_cast<std::size_t>(ref); }

enum class LeafRole { parameter, frozen, state, real, natural };

constexpr std::string_view name(LeafRole role) {
  constexpr std::string_view names[] = {"parameter", "frozen parameter", "state", "input", "natural input"};
  return names[static_cast<int>(role)];
}

struct RandomLeaf {
  LeafRole role = LeafRole::real;
  Shape shape;
  std::uint64_t key = 0;  // of its values,
  double low = -2, high = 2;
  std::vector<double> given{};  // unless these are as many as it needs
};

struct RandomLine {
  Op op;
  std::vector<Ref> operands;
  Attributes attributes;
};

struct RandomProgram {
  std::vector<RandomLeaf> leaves;
  std::vector<RandomLine> lines;
  std::vector<std::pair<Ref, Ref>> state_updates;  // a leaf becomes a value
  std::vector<Ref> roots;                          // their sums add up to the loss; forward answers the first
  OptimizerSpec optimizer;
  int steps = 1;
  std::uint64_t seed = 0;
  bool open_inputs = false;       // every extent of an input is dyn
  bool always_updates = false;    // states, in evaluation too
  std::optional<Ref> bad_labels;  // a natural input whose last number is too large
};

// Shapes

/// Nothing where a rule refuses, or an operand has no shape.
using Shapes = std::vector<std::optional<Shape>>;  // by line

inline std::optional<OperandType> type_of(const RandomProgram& p, const Shapes& lines, Ref ref) {
  if (is_leaf(ref)) {
    const RandomLeaf& leaf = p.leaves[leaf_index(ref)];
    return OperandType{leaf.role == LeafRole::natural ? Kind::natural : Kind::real, leaf.shape};
  }
  if (!lines[line_index(ref)]) return std::nullopt;
  return OperandType{Kind::real, *lines[line_index(ref)]};
}

inline std::optional<Shape> shape_of(const RandomProgram& p, const Shapes& lines, const RandomLine& line) {
  std::vector<OperandType> types;
  for (const Ref operand : line.operands) {
    const auto type = type_of(p, lines, operand);
    if (!type) return std::nullopt;
    types.push_back(*type);
  }
  Message why;
  const Shape out = infer(line.op, types, line.attributes, why);
  if (!why.empty() || !is_static(out)) return std::nullopt;
  return out;
}

inline Shapes shapes_of(const RandomProgram& p) {
  Shapes shapes;
  for (const RandomLine& line : p.lines) shapes.push_back(shape_of(p, shapes, line));
  return shapes;
}

// Values

/// The largest number that every operation allows in a natural input, plus one.
inline std::uint64_t bound_of(const RandomProgram& p, std::size_t leaf) {
  const Shapes shapes = shapes_of(p);
  std::uint64_t bound = 1000;
  for (const RandomLine& line : p.lines)
    for (std::size_t i = spec(line.op).reals.count; i < line.operands.size(); ++i) {
      const auto indexed = type_of(p, shapes, line.operands[0]);
      if (line.operands[i] != ~static_cast<int>(leaf) || !indexed || indexed->shape.rank == 0) continue;
      const auto axis = static_cast<int>(indexed_axis(line.attributes));
      if (axis >= -indexed->shape.rank && axis < indexed->shape.rank)
        bound = std::min(bound, static_cast<std::uint64_t>(indexed->shape[axis]));
    }
  return bound;
}

inline std::vector<double> real_values(const RandomLeaf& leaf) {
  const auto count = static_cast<std::size_t>(known_elements(leaf.shape));
  if (!leaf.given.empty() && leaf.given.size() == count) return leaf.given;
  std::vector<double> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = random::uniform<float>(leaf.low, leaf.high, leaf.key, i);
  return values;
}

inline std::vector<std::uint32_t> natural_values(const RandomProgram& p, std::size_t leaf) {
  const std::uint64_t bound = bound_of(p, leaf);
  std::vector<std::uint32_t> values(static_cast<std::size_t>(known_elements(p.leaves[leaf].shape)));
  for (std::size_t i = 0; i < values.size(); ++i)
    values[i] =
        static_cast<std::uint32_t>(random::splitmix64(p.leaves[leaf].key + i) % std::max<std::uint64_t>(bound, 1));
  if (p.bad_labels == ~static_cast<int>(leaf) && !values.empty()) values.back() = static_cast<std::uint32_t>(bound + 3);
  return values;
}

// As a session takes it

/// The leaves of one of the session's lists, in order.
inline std::vector<std::size_t> leaves_of(const RandomProgram& p, std::initializer_list<LeafRole> roles) {
  std::vector<std::size_t> found;
  for (std::size_t i = 0; i < p.leaves.size(); ++i)
    if (std::ranges::find(roles, p.leaves[i].role) != roles.end()) found.push_back(i);
  return found;
}

constexpr std::initializer_list<LeafRole> parameter_roles = {LeafRole::parameter, LeafRole::frozen};
constexpr std::initializer_list<LeafRole> state_roles = {LeafRole::state};
constexpr std::initializer_list<LeafRole> real_roles = {LeafRole::real};
constexpr std::initializer_list<LeafRole> natural_roles = {LeafRole::natural};

/// Records the lines; returns the sums' sum for a loss, the first root for `forward`.
inline Value record(const RandomProgram& p, const ProgramArguments& a, bool forward) {
  std::vector<Value> leaves(p.leaves.size()), lines;
  const auto place = [&](std::initializer_list<LeafRole> roles, std::span<const Value> values) {
    const auto found = leaves_of(p, roles);
    for (std::size_t i = 0; i < found.size(); ++i) leaves[found[i]] = values[i];
  };
  place(parameter_roles, a.parameters);
  place(state_roles, a.states);
  place(real_roles, a.reals);
  place(natural_roles, a.naturals);
  const auto value = [&](Ref ref) { return is_leaf(ref) ? leaves[leaf_index(ref)] : lines[line_index(ref)]; };
  for (const RandomLine& line : p.lines) {
    std::vector<Value> operands;
    for (const Ref operand : line.operands) operands.push_back(value(operand));
    lines.push_back(a.recorder.record(line.op, operands, line.attributes));
  }
  if (a.recorder.training() || p.always_updates)
    for (const auto& [state, becomes] : p.state_updates) a.recorder.update_state(value(state), value(becomes));
  if (forward) return value(p.roots.front());
  Value loss;
  for (const Ref root : p.roots) {
    const bool is_one = known_elements(a.recorder.shape(value(root))) == 1;
    const Value sum = is_one ? value(root) : reduce_sum(value(root));
    loss = loss ? add(loss, sum) : sum;
  }
  return loss;
}

inline Program program_of(const RandomProgram& p) {
  Program program;
  program.name = "drawn";
  const auto named = [](std::string_view word, std::size_t leaf) { return std::string(word) + std::to_string(leaf); };
  for (const std::size_t i : leaves_of(p, parameter_roles))
    program.parameters.push_back({named("p", i), p.leaves[i].shape, p.leaves[i].role == LeafRole::parameter});
  for (const std::size_t i : leaves_of(p, state_roles))
    program.states.push_back({named("s", i), p.leaves[i].shape, 0.5});
  const auto add_input = [&](std::size_t i, Kind kind) {
    Shape shape = p.leaves[i].shape;
    if (p.open_inputs) std::ranges::fill(shape.extents(), dyn);
    program.inputs.push_back({named("x", i), kind, shape});
  };
  for (const std::size_t i : leaves_of(p, real_roles)) add_input(i, Kind::real), ++program.forward_reals;
  for (const std::size_t i : leaves_of(p, natural_roles)) add_input(i, Kind::natural), ++program.forward_naturals;
  program.forward = [p](const ProgramArguments& a) { return record(p, a, true); };
  program.loss = [p](const ProgramArguments& a) { return record(p, a, false); };
  return program;
}

/// Owns what its batch refers to.
struct RandomBatch {
  std::vector<std::vector<double>> reals;
  std::vector<std::vector<std::uint32_t>> naturals;
  std::vector<Shape> shapes;

  explicit RandomBatch(const RandomProgram& p) {
    for (const std::size_t i : leaves_of(p, real_roles)) {
      reals.push_back(real_values(p.leaves[i]));
      shapes.push_back(p.leaves[i].shape);
    }
    for (const std::size_t i : leaves_of(p, natural_roles)) {
      naturals.push_back(natural_values(p, i));
      shapes.push_back(p.leaves[i].shape);
    }
  }
  Batch batch() const { return {1, {reals.begin(), reals.end()}, {naturals.begin(), naturals.end()}, shapes}; }
};

// As a person reads it

/// Its graph in text form, and what the graph does not say.
inline std::string to_string(const RandomProgram& p) {
  Graph graph;
  std::vector<Value> parameters, states, reals, naturals;
  std::string head = "seed " + std::to_string(p.seed) + ", " + std::string(name(p.optimizer.op)) + " {" +
                     to_string(p.optimizer.attributes) + "}, " + std::to_string(p.steps) + " steps" +
                     (p.open_inputs ? ", inputs of open shape" : "") +
                     (p.always_updates ? ", states change in evaluation" : "") + (p.bad_labels ? ", bad labels" : "") +
                     "\n";
  const auto add_leaves = [&](std::initializer_list<LeafRole> roles, Kind kind, std::vector<Value>& out) {
    for (const std::size_t i : leaves_of(p, roles)) {
      out.push_back(graph.leaf({kind, p.leaves[i].shape}));
      head += "%" + std::to_string(out.back().id) + " is a " + std::string(name(p.leaves[i].role)) + "\n";
    }
  };
  add_leaves(parameter_roles, Kind::real, parameters);
  add_leaves(state_roles, Kind::real, states);
  add_leaves(real_roles, Kind::real, reals);
  add_leaves(natural_roles, Kind::natural, naturals);
  graph.set_training(true);
  const Value loss = record(p, {graph, parameters, reals, naturals, states}, false);
  std::string text = head + tenon::to_string(graph);
  for (const auto& [state, value] : graph.state_updates())
    text += "state %" + std::to_string(state) + " becomes %" + std::to_string(value) + "\n";
  if (const auto status = graph.status(); !status) return text + "refused: " + status.error().text + "\n";
  return text + "the loss is %" + std::to_string(loss.id) + "\n";
}

}  // namespace tenon::test
