#include "tenon/draw_case.h"

#include <cmath>
#include <cstring>

#include "tenon/reference_recorder.h"

namespace tenon::check {
namespace {

std::vector<double> zeros(const Shape& shape) {
  return std::vector<double>(static_cast<std::size_t>(known_elements(shape)));
}

/// The operand repeated to `shape` by NumPy's rule.
HostArray repeated_to(const HostArray& array, const Shape& shape) {
  if (array.shape == shape) return array;
  HostArray out{shape, zeros(shape)};
  const Attributes target = Target{shape};
  ReferenceCall call{std::span(&array, 1), {}, target, std::span(&out, 1)};
  columns(Op::broadcast).reference(call);
  return out;
}

Shape result_shape(Op op, std::span<const HostArray> operands, const Attributes& attributes) {
  std::vector<OperandType> types;
  for (const HostArray& operand : operands) types.push_back({spec(op).kind(types.size()), operand.shape});
  Message why;
  return infer(op, types, attributes, why);
}

}  // namespace

std::vector<HostArray> operands_of(Op op, const Case& c, DType real) {
  std::vector<HostArray> operands = drawn_operands(c, spec(op));
  if (real != DType::f32) return operands;
  for (std::size_t i = 0; i < operands.size(); ++i)
    if (spec(op).kind(i) == Kind::real)
      for (double& value : operands[i].values) value = static_cast<double>(static_cast<float>(value));
  return operands;
}

std::vector<HostArray> as_kernels_receive(Op op, std::vector<HostArray> operands, const Attributes& attributes) {
  if (!broadcasts_operands(op)) return operands;
  const Shape shape = result_shape(op, operands, attributes);
  for (HostArray& operand : operands) operand = repeated_to(operand, shape);
  return operands;
}

std::vector<HostArray> reference_of(Op op, const Case& c, std::vector<HostArray> operands) {
  const Shape shape = result_shape(op, operands, c.attributes);
  operands = as_kernels_receive(op, std::move(operands), c.attributes);
  const auto operand_shape = [&](std::size_t i) { return operands[i].shape; };
  std::vector<HostArray> outputs;
  for (std::size_t i = 0; i < spec(op).output_count(); ++i) {
    const Shape one = output_shape(op, i, shape, operand_shape);
    outputs.push_back({one, zeros(one)});
  }
  ReferenceCall call{operands, c.scalars, c.attributes, outputs};
  columns(op).reference(call);
  return outputs;
}

std::vector<std::byte> to_bytes(const HostArray& array, DType dtype) {
  std::vector<std::byte> bytes(array.values.size() * size_bytes(dtype));
  const auto put = [&](std::size_t i, auto value) {
    std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
  };
  for (std::size_t i = 0; i < array.values.size(); ++i) {
    if (dtype == DType::f32) put(i, static_cast<float>(array.values[i]));
    if (dtype == DType::f64) put(i, array.values[i]);
    if (dtype == DType::u32) put(i, static_cast<std::uint32_t>(array.values[i]));
  }
  return bytes;
}

std::vector<double> to_doubles(std::span<const std::byte> bytes, DType dtype) {
  std::vector<double> values(bytes.size() / size_bytes(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    float single = 0;
    if (dtype == DType::f32) std::memcpy(&single, bytes.data() + 4 * i, 4), values[i] = single;
    if (dtype == DType::f64) std::memcpy(&values[i], bytes.data() + 8 * i, 8);
  }
  return values;
}

std::vector<std::byte> with_one_nan(std::vector<std::byte> bytes, DType real) {
  const auto values = to_doubles(bytes, real);
  for (std::size_t i = 0; i < values.size(); ++i)
    if (std::isnan(values[i])) std::memset(bytes.data() + i * size_bytes(real), 0xff, size_bytes(real));
  return bytes;
}

bool agrees(double found, double expected, double tolerance) {
  if (std::isnan(expected)) return std::isnan(found);
  if (std::isinf(expected)) return found == expected;
  return std::abs(found - expected) <= tolerance * std::max(1.0, std::abs(expected));
}

}  // namespace tenon::check
