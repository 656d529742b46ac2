// draw_program.h: draws programs over the whole table of operations.
//
// A line's operation comes from its row, its attributes and shapes from the row's conformance cases; operands are
// values that the program has, where the shape rule accepts them, else new leaves. A new row joins by itself.
#pragma once
#include <functional>
#include <random>

#include "session/random/program.h"
#include "tenon/op_table.h"

namespace tenon::test {

/// What may be drawn: rows with their cases of modest size.
struct Vocabulary {
  struct Row {
    Op op;
    std::vector<Case> cases;
  };
  std::vector<Row> lines, updates;
};

inline bool is_modest(const Case& c) {
  constexpr Extent most = 300;
  if (!std::ranges::all_of(c.operands, [](const Shape& s) { return known_elements(s) <= most; })) return false;
  Extent asked = 1;  // of a source, or a shape wanted
  std::visit(
      [&](const auto& a) {
        each_field(a, [&](std::string_view field, const auto& value) {
          if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Shape>)
            if (field == "shape") asked = known_elements(value);
        });
      },
      c.attributes.base());
  return asked <= most;
}

/// `serves` says whether the devices have a kernel for a case.
inline Vocabulary vocabulary(const std::function<bool(Op, const Case&)>& serves) {
  Vocabulary all;
  for (const OpSpec& row : all_ops()) {
    if (row.role == Role::internal) continue;
    Vocabulary::Row out{row.op, {}};
    std::vector<Case> cases = columns(row.op).cases();
    std::erase_if(cases, [&](const Case& c) { return !serves(row.op, c); });
    std::ranges::copy_if(cases, std::back_inserter(out.cases), is_modest);
    if (out.cases.empty()) out.cases = std::move(cases);
    if (!out.cases.empty()) (row.role == Role::update ? all.updates : all.lines).push_back(std::move(out));
  }
  return all;
}

class ProgramDrawer {
 public:
  ProgramDrawer(const Vocabulary& vocabulary, std::uint64_t seed) : vocabulary_(vocabulary), draw_(seed) {
    program_.seed = seed;
  }

  RandomProgram draw() {
    add_leaf(LeafRole::parameter, pick(std::vector<Shape>{Shape{2, 3}, Shape{3}, Shape{4, 1}, Shape{}}));
    const std::size_t lines = 1 + below(12);
    while (program_.lines.size() < lines) add_line();
    choose_roots();
    choose_state_updates();
    choose_manner();
    if (chance(12)) break_labels();
    if (chance(25)) break_shapes();
    return std::move(program_);
  }

 private:
  std::size_t below(std::size_t n) { return static_cast<std::size_t>(draw_() % n); }
  bool chance(std::size_t of) { return below(of) == 0; }
  template <class T>
  const T& pick(const std::vector<T>& all) {
    return all[below(all.size())];
  }

  Ref any_value() {
    const std::size_t i = below(program_.leaves.size() + program_.lines.size());
    const std::size_t leaves = program_.leaves.size();
    return i < leaves ? ~static_cast<int>(i) : static_cast<int>(i - leaves);
  }
  /// The later values more often: depth, not breadth.
  Ref some_value() {
    const std::size_t lines = program_.lines.size();
    return lines > 0 && !chance(3) ? static_cast<int>(lines - 1 - below(std::min<std::size_t>(lines, 3))) : any_value();
  }

  Ref add_leaf(LeafRole role, const Shape& shape, const Case* c = nullptr, std::size_t operand = 0) {
    RandomLeaf leaf{role, shape, draw_()};
    if (c != nullptr && role != LeafRole::natural) {
      leaf.low = c->low, leaf.high = c->high;
      if (operand < c->values.size()) leaf.given = c->values[operand];
    }
    program_.leaves.push_back(std::move(leaf));
    return ~static_cast<int>(program_.leaves.size() - 1);
  }
  LeafRole real_role() {
    const std::size_t i = below(10);
    return i < 5 ? LeafRole::parameter : i < 8 ? LeafRole::real : i == 8 ? LeafRole::frozen : LeafRole::state;
  }

  std::optional<Ref> value_of(const OperandType& wanted) {
    std::vector<Ref> found;
    const auto consider = [&](Ref ref) {
      if (type_of(program_, shapes_, ref) == wanted) found.push_back(ref);
    };
    for (std::size_t i = 0; i < program_.lines.size(); ++i) consider(static_cast<int>(i));
    for (std::size_t i = 0; i < program_.leaves.size(); ++i) consider(~static_cast<int>(i));
    if (found.empty() || chance(8)) return std::nullopt;
    return pick(found);
  }

  bool add(RandomLine line) {
    const auto shape = shape_of(program_, shapes_, line);
    if (!shape || known_elements(*shape) > 5000) return false;
    program_.lines.push_back(std::move(line));
    shapes_.push_back(shape);
    return true;
  }

  void add_line() {
    const Vocabulary::Row& row = pick(vocabulary_.lines);
    const Case& c = pick(row.cases);
    for (int attempt = 0; attempt < 12; ++attempt)
      if (add_over_values(row, pick(row.cases))) return;
    add_over_case(row.op, c);
  }

  /// Operands are whatever there is; the shape rule decides.
  bool add_over_values(const Vocabulary::Row& row, const Case& c) {
    const OpSpec& s = spec(row.op);
    if (s.operand_count() == 0) return add({row.op, {}, c.attributes});
    RandomLine line{row.op, {}, c.attributes};
    for (std::size_t i = 0; i < s.reals.count; ++i)
      line.operands.push_back(i > 0 && chance(3) ? line.operands[0] : some_value());
    for (std::size_t i = s.reals.count; i < s.operand_count(); ++i) {
      const auto indexed = type_of(program_, shapes_, line.operands[0]);
      if (!indexed || indexed->shape.rank == 0) return false;
      const Shape shape = chance(2) ? indexed->shape.first(indexed->shape.rank - 1) : c.operands[i];
      const std::size_t leaves = program_.leaves.size();
      line.operands.push_back(natural(shape));
      if (!shape_of_whole(line, s)) continue;
      if (add(line)) return true;
      program_.leaves.resize(leaves);
      return false;
    }
    return s.naturals.count == 0 && add(std::move(line));
  }
  bool shape_of_whole(const RandomLine& line, const OpSpec& s) const {
    return line.operands.size() == s.operand_count();
  }

  Ref natural(const Shape& shape) {
    const auto known = value_of({Kind::natural, shape});
    return known ? *known : add_leaf(LeafRole::natural, shape);
  }

  void add_over_case(Op op, const Case& c) {
    RandomLine line{op, {}, c.attributes};
    for (std::size_t i = 0; i < c.operands.size(); ++i) {
      const bool real = spec(op).kind(i) == Kind::real;
      const auto known = real ? value_of({Kind::real, c.operands[i]}) : std::nullopt;
      const Ref fresh = known ? *known : real ? add_leaf(real_role(), c.operands[i], &c, i) : natural(c.operands[i]);
      line.operands.push_back(fresh);
    }
    add(std::move(line));
  }

  /// The loss lies in a parameter's own storage.
  void choose_bare_loss() {
    const Ref leaf = add_leaf(LeafRole::parameter, Shape{1});
    const bool renamed = chance(2) && add({Op::reshape, {leaf}, Target{Shape{}}});
    program_.roots = {renamed ? static_cast<int>(program_.lines.size()) - 1 : leaf};
  }

  void choose_roots() {
    if (chance(15)) return choose_bare_loss();
    program_.roots.push_back(static_cast<int>(program_.lines.size()) - 1);
    while (!chance(2)) {
      const Ref root = any_value();
      if (type_of(program_, shapes_, root)->kind == Kind::real) program_.roots.push_back(root);
    }
    std::swap(program_.roots.front(), program_.roots[below(program_.roots.size())]);
  }

  void choose_state_updates() {
    while (chance(3)) {
      const Ref value = any_value();
      const auto type = type_of(program_, shapes_, value);
      if (type->kind == Kind::natural) continue;
      std::vector<Ref> states;
      for (std::size_t i = 0; i < program_.leaves.size(); ++i)
        if (program_.leaves[i].role == LeafRole::state && program_.leaves[i].shape == type->shape)
          states.push_back(~static_cast<int>(i));
      const Ref state = states.empty() || chance(3) ? add_leaf(LeafRole::state, type->shape) : pick(states);
      program_.state_updates.emplace_back(state, value);
    }
  }

  void choose_manner() {
    const Vocabulary::Row& update = pick(vocabulary_.updates);
    program_.optimizer = {update.op, pick(update.cases).attributes};
    program_.steps = 1 + static_cast<int>(below(3));
    program_.open_inputs = chance(4);
    program_.always_updates = chance(4);
  }

  void break_labels() {
    const auto naturals = leaves_of(program_, natural_roles);
    if (!naturals.empty()) program_.bad_labels = ~static_cast<int>(pick(naturals));
  }

  /// One more line, which its rule refuses.
  void break_shapes() {
    for (int attempt = 0; attempt < 30; ++attempt) {
      const Vocabulary::Row& row = pick(vocabulary_.lines);
      RandomLine line{row.op, {}, pick(row.cases).attributes};
      for (std::size_t i = 0; i < spec(row.op).operand_count(); ++i) line.operands.push_back(any_value());
      if (shape_of(program_, shapes_, line)) continue;
      program_.lines.push_back(std::move(line));
      shapes_.push_back(std::nullopt);
      return;
    }
  }

  const Vocabulary& vocabulary_;
  std::mt19937_64 draw_;
  RandomProgram program_;
  Shapes shapes_;
};

}  // namespace tenon::test
