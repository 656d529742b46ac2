// draw_case.h: the operands of a conformance case, and its reference.
#pragma once
#include "tenon/dtype.h"
#include "tenon/op_table.h"
#include "tenon/random.h"

namespace tenon::test {

/// Values as the device will see them: rounded to its storage type.
inline std::vector<HostArray> operands_of(Op op, const Case& c, DType real) {
  std::vector<HostArray> operands;
  for (std::size_t i = 0; i < c.operands.size(); ++i) {
    HostArray array{c.operands[i], {}};
    const bool given = i < c.values.size() && !c.values[i].empty();
    const auto count = static_cast<std::size_t>(known_elements(array.shape));
    for (std::size_t j = 0; j < count; ++j) {
      double value = given ? c.values[i][j] : random::uniform<double>(c.low, c.high, random::key(i, 17), j);
      if (!given && spec(op).kind(i) == Kind::natural)
        value = static_cast<double>(random::splitmix64(random::key(i, 23) + j) % std::max(c.classes, 1u));
      if (real == DType::f32 && spec(op).kind(i) == Kind::real) value = static_cast<float>(value);
      array.values.push_back(value);
    }
    operands.push_back(std::move(array));
  }
  return operands;
}

/// The operand repeated to `shape` by NumPy's rule.
inline HostArray repeated_to(const HostArray& array, const Shape& shape) {
  if (array.shape == shape) return array;
  HostArray out{shape, std::vector<double>(static_cast<std::size_t>(known_elements(shape)))};
  const Attributes target = Target{shape};
  ReferenceCall call{std::span(&array, 1), {}, target, std::span(&out, 1)};
  columns(Op::broadcast).reference(call);
  return out;
}

inline std::vector<HostArray> reference_of(Op op, const Case& c, std::vector<HostArray> operands) {
  std::vector<OperandType> types;
  for (std::size_t i = 0; i < operands.size(); ++i) types.push_back({spec(op).kind(i), operands[i].shape});
  Message why;
  const Shape shape = infer(op, types, c.attributes, why);
  if (broadcasts_operands(op))
    for (HostArray& operand : operands) operand = repeated_to(operand, shape);
  std::vector<HostArray> outputs;
  for (std::size_t i = 0; i < spec(op).output_count(); ++i) {
    const Shape one = output_shape(op, i, shape, [&](std::size_t operand) { return operands[operand].shape; });
    outputs.push_back({one, std::vector<double>(static_cast<std::size_t>(known_elements(one)))});
  }
  ReferenceCall call{operands, c.scalars, c.attributes, outputs};
  columns(op).reference(call);
  return outputs;
}

}  // namespace tenon::test
