// request.h: one operation with everything that decides which capsule serves it. Plain data.
#pragma once
#include <string>
#include <vector>

#include "tenon/dtype.h"
#include "tenon/op.h"

namespace tenon {

struct TensorType {
  DType dtype = DType::f32;
  Shape shape;
  friend constexpr bool operator==(const TensorType&, const TensorType&) = default;
};

enum class GradientMode : std::uint8_t { evaluation, training };
constexpr std::string_view name(GradientMode mode) {
  return mode == GradientMode::training ? "training" : "evaluation";
}

struct Request {
  Op op;
  Attributes attributes;
  std::vector<TensorType> operands, outputs;
  GradientMode mode = GradientMode::evaluation;
  friend bool operator==(const Request&, const Request&) = default;
};

/// "linear(x f32 (32, 64), weight f32 (128, 64), bias f32 (128)) -> f32 (32, 128)".
TENON_API std::string to_string(const Request& request);

}  // namespace tenon
