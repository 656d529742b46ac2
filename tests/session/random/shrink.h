// shrink.h: makes a program that fails smaller for as long as it still fails.
#pragma once
#include <functional>

#include "session/random/program.h"

namespace tenon::test {

using Fails = std::function<bool(const RandomProgram&)>;

class Shrinker {
 public:
  Shrinker(RandomProgram failing, Fails fails) : best_(std::move(failing)), fails_(std::move(fails)) {}

  RandomProgram shrink() {
    while (tries_ < most_tries && any_pass()) {
    }
    return best_;
  }

 private:
  static constexpr int most_tries = 5000;

  bool any_pass() {
    bool smaller = false;
    for (const auto pass :
         {&Shrinker::simplify_manner, &Shrinker::drop_roots, &Shrinker::drop_state_updates, &Shrinker::drop_lines,
          &Shrinker::cut_operands, &Shrinker::share_operands, &Shrinker::drop_leaves, &Shrinker::shrink_extents,
          &Shrinker::simplify_attributes, &Shrinker::simplify_leaves})
      smaller = (this->*pass)() || smaller;
    return smaller;
  }

  bool keep(RandomProgram candidate) {
    if (++tries_ > most_tries || !fails_(candidate)) return false;
    best_ = std::move(candidate);
    return true;
  }
  template <class Change>
  bool try_change(Change change) {
    RandomProgram candidate = best_;
    change(candidate);
    return keep(std::move(candidate));
  }

  bool simplify_manner() {
    bool any = false;
    if (best_.steps > 1) any |= try_change([](RandomProgram& p) { --p.steps; });
    if (best_.optimizer != OptimizerSpec{}) any |= try_change([](RandomProgram& p) { p.optimizer = {}; });
    if (best_.open_inputs) any |= try_change([](RandomProgram& p) { p.open_inputs = false; });
    if (best_.always_updates) any |= try_change([](RandomProgram& p) { p.always_updates = false; });
    if (best_.bad_labels) any |= try_change([](RandomProgram& p) { p.bad_labels.reset(); });
    return any;
  }

  /// From the last to the first, so that what is kept does not move.
  template <class List, class Drop>
  bool drop_each(const List& list, Drop drop) {
    bool any = false;
    for (std::size_t i = list.size(); i-- > 0;) any |= drop(i);
    return any;
  }

  bool drop_roots() {
    return drop_each(best_.roots, [&](std::size_t i) {
      return best_.roots.size() > 1 &&
             try_change([&](RandomProgram& p) { p.roots.erase(p.roots.begin() + static_cast<int>(i)); });
    });
  }

  bool drop_state_updates() {
    return drop_each(best_.state_updates, [&](std::size_t i) {
      return try_change(
          [&](RandomProgram& p) { p.state_updates.erase(p.state_updates.begin() + static_cast<int>(i)); });
    });
  }

  template <class Visit>
  static void each_ref(RandomProgram& p, Visit visit) {
    for (RandomLine& line : p.lines)
      for (Ref& operand : line.operands) visit(operand);
    for (Ref& root : p.roots) visit(root);
    for (auto& [state, value] : p.state_updates) visit(state), visit(value);
    if (p.bad_labels) visit(*p.bad_labels);
  }

  /// Whoever used the line uses `instead`.
  static void erase_line(RandomProgram& p, std::size_t line, Ref instead) {
    p.lines.erase(p.lines.begin() + static_cast<int>(line));
    each_ref(p, [&](Ref& ref) {
      if (ref == static_cast<int>(line))
        ref = instead;
      else if (ref > static_cast<int>(line))
        --ref;
    });
  }

  static Ref fresh_leaf(RandomProgram& p, const Shape& shape) {
    p.leaves.push_back({LeafRole::parameter, shape, 1000 + p.leaves.size()});
    return ~static_cast<int>(p.leaves.size() - 1);
  }

  /// Each line's users get one of its operands, or a new leaf.
  bool drop_lines() {
    return drop_each(best_.lines, [&](std::size_t i) {
      for (const Ref operand : std::vector<Ref>(best_.lines[i].operands))
        if (try_change([&](RandomProgram& p) { erase_line(p, i, operand); })) return true;
      const auto shape = shapes_of(best_)[i].value_or(Shape{});
      return try_change([&](RandomProgram& p) { erase_line(p, i, fresh_leaf(p, shape)); });
    });
  }

  /// Operands that lines make become leaves.
  bool cut_operands() {
    return drop_each(best_.lines, [&](std::size_t i) {
      bool any = false;
      for (std::size_t k = 0; k < best_.lines[i].operands.size(); ++k) {
        const Ref operand = best_.lines[i].operands[k];
        if (is_leaf(operand)) continue;
        const auto shape = shapes_of(best_)[line_index(operand)].value_or(Shape{});
        any |= try_change([&](RandomProgram& p) { p.lines[i].operands[k] = fresh_leaf(p, shape); });
      }
      return any;
    });
  }

  /// Where two leaves are alike, one is enough.
  bool share_operands() {
    return drop_each(best_.leaves, [&](std::size_t i) {
      for (std::size_t j = 0; j < i; ++j) {
        if (best_.leaves[i].role != best_.leaves[j].role || best_.leaves[i].shape != best_.leaves[j].shape) continue;
        if (try_change([&](RandomProgram& p) {
              each_ref(p, [&](Ref& ref) { ref = ref == ~static_cast<int>(i) ? ~static_cast<int>(j) : ref; });
              erase_leaf(p, i);
            }))
          return true;
      }
      return false;
    });
  }

  static void erase_leaf(RandomProgram& p, std::size_t leaf) {
    p.leaves.erase(p.leaves.begin() + static_cast<int>(leaf));
    each_ref(p, [&](Ref& ref) {
      if (is_leaf(ref) && leaf_index(ref) > leaf) ++ref;
    });
  }

  bool drop_leaves() {
    return drop_each(best_.leaves, [&](std::size_t i) {
      bool used = false;
      each_ref(best_, [&](Ref& ref) { used = used || ref == ~static_cast<int>(i); });
      return !used && try_change([&](RandomProgram& p) { erase_leaf(p, i); });
    });
  }

  template <class Visit>
  static void each_shape(RandomProgram& p, Visit visit) {
    for (RandomLeaf& leaf : p.leaves) visit(leaf.shape);
    for (RandomLine& line : p.lines)
      std::visit(
          [&](auto& a) {
            each_field(a, [&](std::string_view field, auto& value) {
              if constexpr (std::is_same_v<std::remove_cvref_t<decltype(value)>, Shape>)
                if (field == "shape") visit(value);
            });
          },
          static_cast<Attributes::variant&>(line.attributes));
  }

  /// An extent is made smaller wherever it stands.
  bool shrink_extents() {
    std::vector<Extent> extents;
    each_shape(best_,
               [&](Shape& shape) { extents.insert(extents.end(), shape.extents().begin(), shape.extents().end()); });
    std::ranges::sort(extents, std::greater());
    extents.erase(std::unique(extents.begin(), extents.end()), extents.end());
    bool any = false;
    for (const Extent from : extents)
      for (const Extent to : {Extent{1}, Extent{2}, from / 2})
        if (to < from && to > 0 && try_change([&](RandomProgram& p) {
              each_shape(p, [&](Shape& shape) { std::ranges::replace(shape.extents(), from, to); });
            })) {
          any = true;
          break;
        }
    return any;
  }

  bool simplify_attributes() {
    return drop_each(best_.lines, [&](std::size_t i) {
      const Attributes& usual = spec(best_.lines[i].op).defaults;
      return best_.lines[i].attributes != usual && try_change([&](RandomProgram& p) { p.lines[i].attributes = usual; });
    });
  }

  bool simplify_leaves() {
    return drop_each(best_.leaves, [&](std::size_t i) {
      bool any = !best_.leaves[i].given.empty() && try_change([&](RandomProgram& p) { p.leaves[i].given.clear(); });
      const LeafRole role = best_.leaves[i].role;
      if (role == LeafRole::state || role == LeafRole::frozen || role == LeafRole::real)
        any |= try_change([&](RandomProgram& p) { p.leaves[i].role = LeafRole::parameter; });
      return any;
    });
  }

  RandomProgram best_;
  Fails fails_;
  int tries_ = 0;
};

}  // namespace tenon::test
