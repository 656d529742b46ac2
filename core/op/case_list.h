// case_list.h: short ways to write conformance cases.
#pragma once
#include <limits>

#include "tenon/attributes_text.h"
#include "tenon/op_table.h"

namespace tenon {

inline constexpr double not_a_number = std::numeric_limits<double>::quiet_NaN();
inline constexpr double infinity = std::numeric_limits<double>::infinity();

/// A case that is named after its shapes and attributes.
inline Case drawn(std::vector<Shape> operands, const Attributes& attributes = {}) {
  std::string name;
  for (const Shape& shape : operands) name.append(name.empty() ? "" : " ").append(to_string(shape));
  if (attributes.index() != 0) name.append(name.empty() ? "" : " ").append(to_string(attributes));
  return {.name = std::move(name), .operands = std::move(operands), .attributes = attributes};
}

/// Operands are vectors with these values; not differentiated, since such values are mostly kinks and infinities.
inline Case given(std::string name, std::vector<std::vector<double>> values) {
  Case c{.name = std::move(name), .check_gradient = false};
  for (const auto& list : values) c.operands.push_back(Shape{static_cast<Extent>(list.size())});
  c.values = std::move(values);
  return c;
}

/// The shapes that every elementwise operation meets: empty, single, odd, longer than any vector, of several ranks.
inline std::vector<Shape> usual_shapes() {
  return {Shape{},     Shape{0},    Shape{2, 0, 3},    Shape{1},
          Shape{17},   Shape{4099}, Shape{2, 3, 1, 5}, Shape{1, 2, 1, 2, 1, 2, 1, 2},
          Shape{33, 7}};
}

/// Every usual shape, for an operation whose `count` operands have one shape; values from [low, high).
inline std::vector<Case> usual_cases(std::size_t count, double low, double high) {
  std::vector<Case> out;
  for (const Shape& shape : usual_shapes()) {
    out.push_back(drawn(std::vector<Shape>(count, shape)));
    out.back().low = low, out.back().high = high;
  }
  return out;
}

}  // namespace tenon
