// op.h: the table of operations and what derives from a row.
//
// A family header holds the rows; the columns are
//   TENON_OP(name, (real operands), (natural operands), (scalar slots), attributes, role, "documentation")
// Beside each row stands `rule::name`, constexpr (tenon/rule.h); in the family's source stand `gradient::name`,
// `reference::name` and `cases::name` (tenon/op_table.h). Constant data; any thread.
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

/// Identifies an operation inside one build; names, never these numbers, cross the plugin ABI and enter files.
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
};

/// Natural numbers (labels, token ids, indices) are never converted to real numbers nor differentiated.
enum class Kind : std::uint8_t { real, natural };

constexpr std::string_view name(Kind kind) { return kind == Kind::real ? "real" : "natural"; }

struct OperandType {
  Kind kind = Kind::real;
  Shape shape;
  friend constexpr bool operator==(const OperandType&, const OperandType&) = default;
};

inline constexpr std::size_t max_operands = 6;

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
  /// An update returns all its operands but the gradient (the second one); everything else one tensor.
  constexpr std::size_t output_count() const { return role == Role::update ? operand_count() - 1 : 1; }
  /// The operand whose storage output i of an update takes.
  constexpr std::size_t updated_operand(std::size_t output) const { return output == 0 ? 0 : output + 1; }
};

namespace detail {

inline constexpr auto op_rows = std::to_array<OpSpec>({
#define TENON_OP_ROW(name, reals, naturals, scalars, attributes, role, documentation) \
  {Op::name,     #name,      Names(#reals), Names(#naturals), Names(#scalars),        \
   attributes{}, Role::role, documentation, rule::name},
    TENON_OPS(TENON_OP_ROW)
#undef TENON_OP_ROW
});

}  // namespace detail

constexpr std::span<const OpSpec> all_ops() { return detail::op_rows; }
constexpr const OpSpec& spec(Op op) { return detail::op_rows[static_cast<std::size_t>(op)]; }
constexpr std::string_view name(Op op) { return spec(op).name; }

/// The row of a name, or nothing.
constexpr const OpSpec* find_op(std::string_view name) {
  const auto row = std::ranges::find(detail::op_rows, name, &OpSpec::name);
  return row == detail::op_rows.end() ? nullptr : &*row;
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

/// The shape of the result. If there is none, `why` says so, beginning with the operation and its operands:
/// "[linear] x (dyn, 60), weight (128, 64), bias (128): x has 60 features, weight takes 64".
constexpr Shape infer(Op op, std::span<const OperandType> given, const Attributes& attributes, Message& why);

}  // namespace tenon

#include "tenon/infer.h"  // IWYU pragma: export
