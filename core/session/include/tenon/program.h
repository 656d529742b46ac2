// program.h: a model at run time: named parameters, named inputs, and two programs over any recorder.
//
// Plain data and two functions; the typed modules make one of these too. A program must record the same operations for
// the same shapes, and must not keep Values beyond its call.
#pragma once
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "tenon/ops.h"
#include "tenon/result.h"

namespace tenon {

struct ParameterSpec {
  std::string name;
  Shape shape;  // known extents only
  bool requires_grad = true;
};

/// A tensor that the program itself updates (running statistics): saved with the parameters, no gradient.
struct StateSpec {
  std::string name;
  Shape shape;  // known extents only
  double initial = 0;
};

/// Extents may be named (`batch`, one number wherever the name stands in one call) or dyn.
struct InputSpec {
  std::string name;
  Kind kind = Kind::real;
  Shape shape;
};

/// What a program is given, each list in the order of its declaration.
struct ProgramArguments {
  Recorder& recorder;
  std::span<const Value> parameters, reals, naturals, states{};
};

/// The number of an unknown extent where nobody has said one and any must do: two is the first that is not special.
inline constexpr Extent nominal_extent = 2;

/// One of the functions may be empty: a program is then only evaluated, or only trained.
struct Program {
  std::string name;
  std::vector<ParameterSpec> parameters;
  std::vector<InputSpec> inputs;  // reals, then naturals
  std::size_t forward_reals = 0;  // forward takes the first ones only: targets are the loss's alone
  std::size_t forward_naturals = 0;
  std::function<Value(const ProgramArguments&)> forward;
  std::function<Value(const ProgramArguments&)> loss;  // one element
  std::vector<StateSpec> states{};
};

/// INVALID_ARGUMENT where the function is empty: who calls one asks first.
TENON_API result<void> check_has_forward(const Program& program);
TENON_API result<void> check_has_loss(const Program& program);

}  // namespace tenon
