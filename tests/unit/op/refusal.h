// refusal.h: asks the rule of an operation, for tests.
#pragma once
#include <string>

#include "tenon/op.h"

namespace tenon {

inline constexpr Extent steps = extent("steps");  // an extent whose number is known when the program runs

/// Real operands of these shapes, except that the last `naturals` are natural.
constexpr Shape result_of(Op op, std::initializer_list<Shape> shapes, const Attributes& attributes, Message& why) {
  std::array<OperandType, max_operands + 1> types;
  std::size_t count = 0;
  for (const Shape& shape : shapes) types[count] = {spec(op).kind(count), shape}, ++count;
  return infer(op, std::span(types).first(count), attributes, why);
}

/// The result's shape; a refused program gives rank max_rank with an absurd extent, which equals nothing.
constexpr Shape shape_of(Op op, std::initializer_list<Shape> shapes, const Attributes& attributes) {
  Message why;
  const Shape out = result_of(op, shapes, attributes, why);
  return why.empty() ? out : Shape{-7, -7, -7, -7, -7, -7, -7, -7};
}
constexpr Shape shape_of(Op op, std::initializer_list<Shape> shapes) { return shape_of(op, shapes, spec(op).defaults); }

inline std::string refusal(Op op, std::initializer_list<Shape> shapes, const Attributes& attributes) {
  Message why;
  result_of(op, shapes, attributes, why);
  return std::string(why.view());
}
inline std::string refusal(Op op, std::initializer_list<Shape> shapes) {
  return refusal(op, shapes, spec(op).defaults);
}

}  // namespace tenon
