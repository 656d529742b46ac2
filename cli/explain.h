// explain.h: what `tenon explain` has found, to be printed for people or for programs. Plain values; choices refer to
// the plugins of the runtime they were made with.
#pragma once
#include <string>
#include <vector>

#include "tenon/explanation.h"

namespace tenon::cli {

/// One function of a program, for known extents.
struct ExplainedPart {
  std::string name;  // "forward", "loss and gradient"
  GradientMode mode;
  RecordedProgram recorded;
  std::vector<ExplainedOperation> operations;
};

struct Explained {
  std::string program, device;
  DType real;
  std::vector<std::string> leaves;  // "%0 = parameter fc1.weight : (16, 2)"
  std::vector<ExplainedPart> parts;
};

std::string to_json(const Explained& explained);

/// Every operation in words, and how many of them have a capsule.
std::string to_text(const Explained& explained);

}  // namespace tenon::cli
