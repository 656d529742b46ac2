// infer.h: `infer` decides what the result of an operation is, at compile time and at run time alike.
//
// Included by op.h, which declares it. Pure functions; any thread.
#pragma once
#include "tenon/op.h"

namespace tenon {
namespace detail {

constexpr std::string_view operand_word(std::size_t count) { return count == 1 ? " operand" : " operands"; }

constexpr Shape refuse_count(const OpSpec& row, std::size_t found, Message& why) {
  why << "[" << row.name << "] takes ";
  for (std::size_t i = 0; i < row.operand_count(); ++i) why << (i == 0 ? "" : ", ") << row.operand(i);
  if (row.operand_count() == 0) why << "nothing";
  return refuse(why, ": found ", found, operand_word(found), ", expected ", row.operand_count());
}

constexpr bool kinds_fit(const OpSpec& row, std::span<const OperandType> given, Message& why) {
  for (std::size_t i = 0; i < given.size(); ++i) {
    if (given[i].kind == row.kind(i)) continue;
    refuse(why, "[", row.name, "] ", row.operand(i), " ", given[i].shape, ": found ", name(given[i].kind),
           " numbers, expected ", name(row.kind(i)), " ones");
    return false;
  }
  return true;
}

constexpr bool are_tensors(std::span<const Shape> shapes, Message& why) {
  return std::ranges::all_of(shapes, [&](const Shape& shape) { return rule::holds_extents(shape, why); });
}

/// What X.vjp gives for X's first operand, where X's rule accepts its operands and gives its result.
constexpr Shape asked_vjp(const OpSpec& row, std::span<const Shape> shapes, const Attributes& attributes,
                          Message& why) {
  const std::size_t reals = row.output_count();
  std::array<Shape, max_operands> given{};
  const auto naturals = std::ranges::copy(shapes.first(reals), given.begin()).out;
  std::ranges::copy(shapes.subspan(reals + 2), naturals);
  const std::span operands = std::span(given).first(shapes.size() - 2);
  const Shape result = row.rule(operands, attributes, why);
  if (!why.empty()) return {};
  for (std::size_t i = reals; i < reals + 2; ++i)
    if (shapes[i] != result) return refuse(why, row.operand(i), " ", shapes[i], ", expected ", result);
  const bool repeats = broadcasts_operands(differentiated_by(row.op));
  if (repeats && std::ranges::any_of(operands, [&](const Shape& s) { return s != result; }))
    return refuse(why, "expected operands of one shape");
  return shapes[0];
}

/// What the row's rule answers, where operands and result can be those of tensors.
constexpr Shape asked_rule(const OpSpec& row, std::span<const Shape> shapes, const Attributes& attributes,
                           Message& why) {
  if (!are_tensors(shapes, why)) return {};
  const Shape out = row.role == Role::vjp ? asked_vjp(row, shapes, attributes, why) : row.rule(shapes, attributes, why);
  if (why.empty() && !could_be_tensor(out)) refuse(why, "the result ", out, " has too many elements");
  return out;
}

/// "[linear] x (dyn, 60), weight (128, 64), bias (128): ", and the rule's own words.
constexpr Message described(const OpSpec& row, std::span<const OperandType> given, const Message& words) {
  Message out;
  out << "[" << row.name << "] ";
  for (std::size_t i = 0; i < given.size(); ++i) out << (i == 0 ? "" : ", ") << row.operand(i) << " " << given[i].shape;
  return out << (given.empty() ? "" : ": ") << words.view();
}

}  // namespace detail

/// `why` must arrive empty; it is written only when the operation is refused.
constexpr Shape infer(Op op, std::span<const OperandType> given, const Attributes& attributes, Message& why) {
  const OpSpec& row = spec(op);
  if (given.size() != row.operand_count()) return detail::refuse_count(row, given.size(), why);
  if (!detail::kinds_fit(row, given, why)) return {};
  if (attributes.index() != row.defaults.index())
    return refuse(why, "[", row.name, "] found the attributes of another operation");
  std::array<Shape, max_operands> shapes{};
  for (std::size_t i = 0; i < given.size(); ++i) shapes[i] = given[i].shape;
  const Shape out = detail::asked_rule(row, std::span(shapes).first(given.size()), attributes, why);
  if (why.empty()) return out;
  why = detail::described(row, given, why);
  return {};
}

}  // namespace tenon
