// op.h: the table of operations and what derives from a row.
//
// A family header holds the rows; the columns are
//   TENON_OP(name, (real operands), (natural operands), (scalar slots), attributes, role, "documentation")
// Beside each row stands `rule::name`, constexpr (tenon/rule.h); in the family's source stand `gradient::name`,
// `reference::name` and `cases::name` (tenon/op_table.h). Every differentiable row X has a derived one, X.vjp, for
// devices that bring a gradient of their own. Constant data; any thread.
#pragma once
#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "tenon/attributes.h"
#include "tenon/op/convolution.h"
#include "tenon/op/elementwise.h"
#include "tenon/op/layout.h"
#include "tenon/op/linear_algebra.h"
#include "tenon/op/losses.h"
#include "tenon/op/normalisers.h"
#include "tenon/op/pooling.h"
#include "tenon/op/reductions.h"
#include "tenon/op/sequences.h"
#include "tenon/op/sources.h"
#include "tenon/op/updates.h"

// clang-format off
#define TENON_OPS(TENON_OP)          \
  TENON_SOURCE_OPS(TENON_OP)         \
  TENON_ELEMENTWISE_OPS(TENON_OP)    \
  TENON_NORMALISER_OPS(TENON_OP)     \
  TENON_REDUCTION_OPS(TENON_OP)      \
  TENON_LAYOUT_OPS(TENON_OP)         \
  TENON_LINEAR_ALGEBRA_OPS(TENON_OP) \
  TENON_CONVOLUTION_OPS(TENON_OP)    \
  TENON_POOLING_OPS(TENON_OP)        \
  TENON_SEQUENCE_OPS(TENON_OP)       \
  TENON_LOSS_OPS(TENON_OP)           \
  TENON_UPDATE_OPS(TENON_OP)
// clang-format on

namespace tenon {

/// Identifies an operation inside one build; names, never these numbers, cross the plugin ABI and enter files. Beyond
/// the rows stand the derived operations, in the same order (vjp_of).
enum class Op : std::uint16_t {
#define TENON_OP_ENUM(name, ...) name,
  TENON_OPS(TENON_OP_ENUM)
#undef TENON_OP_ENUM
};

enum class Role : std::uint8_t {
  plain,     // differentiable by its gradient rule
  source,    // no operands
  random,    // a source whose key the session draws
  internal,  // part of a gradient; refuses to be differentiated
  update,    // an optimizer's step, in place
  vjp,       // derived: the gradient of a plain one, whole
};

/// Natural numbers (labels, token ids, indices) are never converted to real numbers nor differentiated.
enum class Kind : std::uint8_t { real, natural };

constexpr std::string_view name(Kind kind) { return kind == Kind::real ? "real" : "natural"; }

struct OperandType {
  Kind kind = Kind::real;
  Shape shape;
  friend constexpr bool operator==(const OperandType&, const OperandType&) = default;
};

inline constexpr std::size_t max_operands = 7;  // of batch_norm.vjp

/// The names in "(left, right)".
struct Names {
  std::array<std::string_view, max_operands> name{};
  std::uint8_t count = 0;

  constexpr Names() = default;
  constexpr explicit Names(std::string_view list) {
    list = list.substr(1, list.size() - 2);
    while (!list.empty()) {
      const std::size_t comma = std::min(list.find(','), list.size());
      name[count++] = list.substr(0, comma);
      list.remove_prefix(comma);
      while (!list.empty() && (list.front() == ',' || list.front() == ' ')) list.remove_prefix(1);
    }
  }
  constexpr std::span<const std::string_view> view() const { return {name.data(), count}; }
  constexpr Names and_then(std::string_view more) const {
    Names out = *this;
    out.name[out.count++] = more;
    return out;
  }
};

/// The row of an operation, as data.
struct OpSpec {
  Op op;
  std::string_view name;
  Names reals, naturals, scalars;
  Attributes defaults;
  Role role;
  std::string_view documentation;
  ShapeRule rule;
  std::uint32_t version = 1;

  constexpr std::size_t operand_count() const { return std::size_t{reals.count} + naturals.count; }
  constexpr Kind kind(std::size_t operand) const { return operand < reals.count ? Kind::real : Kind::natural; }
  constexpr std::string_view operand(std::size_t i) const {
    return i < reals.count ? reals.name[i] : naturals.name[i - reals.count];
  }
  /// An update returns all its operands but the gradient (the second one), X.vjp one cotangent for each real operand of
  /// X; everything else one tensor.
  constexpr std::size_t output_count() const {
    if (role == Role::vjp) return reals.count - std::size_t{2};
    return role == Role::update ? operand_count() - 1 : 1;
  }
  /// The operand whose storage output i of an update takes.
  constexpr std::size_t updated_operand(std::size_t output) const { return output == 0 ? 0 : output + 1; }
};

namespace detail {

#define TENON_OP_COUNT(...) +1
inline constexpr std::size_t op_count = TENON_OPS(TENON_OP_COUNT);
#undef TENON_OP_COUNT

}  // namespace detail

/// The operation X.vjp of a differentiable X. Its operands: X's real ones, X's result, the result's cotangent, X's
/// natural ones. Its results: a cotangent for each real operand of X, of that operand's shape; zeros where X gives
/// none. Its attributes and version are X's.
constexpr Op vjp_of(Op op) { return static_cast<Op>(static_cast<std::size_t>(op) + detail::op_count); }
/// And back.
constexpr Op differentiated_by(Op vjp) { return static_cast<Op>(static_cast<std::size_t>(vjp) - detail::op_count); }

namespace detail {

/// The rows, then those of X.vjp. What is not differentiable has one as well, which nothing leads to.
inline constexpr auto op_rows = std::to_array<OpSpec>({
#define TENON_OP_ROW(name, reals, naturals, scalars, attributes, role, documentation) \
  {Op::name,     #name,      Names(#reals), Names(#naturals), Names(#scalars),        \
   attributes{}, Role::role, documentation, rule::name},
#define TENON_VJP_ROW(name, reals, naturals, scalars, attributes, role, documentation) \
  {vjp_of(Op::name),                                                                   \
   #name ".vjp",                                                                       \
   Names(#reals).and_then("result").and_then("cotangent"),                             \
   Names(#naturals),                                                                   \
   Names(),                                                                            \
   attributes{},                                                                       \
   Role::vjp,                                                                          \
   "the gradient of " #name,                                                           \
   rule::name},
    TENON_OPS(TENON_OP_ROW) TENON_OPS(TENON_VJP_ROW)
#undef TENON_VJP_ROW
#undef TENON_OP_ROW
});

}  // namespace detail

/// The rows, without the derived ones.
constexpr std::span<const OpSpec> all_ops() { return std::span(detail::op_rows).first(detail::op_count); }
constexpr const OpSpec& spec(Op op) { return detail::op_rows[static_cast<std::size_t>(op)]; }
constexpr std::string_view name(Op op) { return spec(op).name; }

/// Has it an X.vjp?
constexpr bool is_differentiable(Op op) { return spec(op).role == Role::plain; }

/// The row of a name, a derived one too, or nothing.
constexpr const OpSpec* find_op(std::string_view name) {
  const auto row = std::ranges::find(detail::op_rows, name, &OpSpec::name);
  const bool leads_to =
      row != detail::op_rows.end() && (row->role != Role::vjp || is_differentiable(differentiated_by(row->op)));
  return leads_to ? &*row : nullptr;
}

/// The recorder repeats the operands of such an operation to one shape: differentiable ones of the elementwise family.
constexpr bool broadcasts_operands(Op op) {
  switch (op) {
#define TENON_OP_CASE(name, ...) case Op::name:
    TENON_ELEMENTWISE_OPS(TENON_OP_CASE)
#undef TENON_OP_CASE
    return spec(op).role == Role::plain;
    default:
      return false;
  }
}

/// The shape of an output, where `infer` gave `first`; operand_shape(i) is that of operand i.
template <class OperandShape>
constexpr Shape output_shape(Op op, std::size_t output, const Shape& first, OperandShape operand_shape) {
  return spec(op).role == Role::vjp ? operand_shape(output) : first;
}

/// Every element of the output takes the place of one operand's element: the output may have that operand's storage.
constexpr bool shares_storage(Op op) {
  const std::string_view row = name(op);
  return row == "reshape" || row == "flatten" || row == "unflatten";
}

/// The axis of operand 0 that an operation's natural numbers index; they are checked on the host before anything runs.
constexpr Extent indexed_axis(const Attributes& attributes) {
  const Axis* axis = std::get_if<Axis>(&attributes.base());
  return axis == nullptr ? -1 : axis->axis;
}

/// The shape of the first result. If there is none, `why` says so, beginning with the operation and its operands:
/// "[linear] x (dyn, 60), weight (128, 64), bias (128): x has 60 features, weight takes 64".
constexpr Shape infer(Op op, std::span<const OperandType> given, const Attributes& attributes, Message& why);

}  // namespace tenon

#include "tenon/infer.h"  // IWYU pragma: export
