// explain.h: what is known of the operations of a program, or of one operation, on a device: which capsule would serve
// each and why. Made for `tenon explain` and `tenon graph`, printed for people or for programs.
//
// Plain values that own the plugins which their choices refer to.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "operation_choice.h"
#include "program_choice.h"
#include "tenon/exec_config.h"
#include "tenon/explanation.h"
#include "tenon/selection.h"

namespace tenon::cli {

/// A tensor that a function is given.
struct ExplainedLeaf {
  std::string_view word;  // "parameter", "frozen parameter", "state", "input", "natural"
  std::string name;       // empty: an operand that has none
  Shape shape;
};

/// One function, for known extents.
struct ExplainedPart {
  std::string name;  // "forward", "loss and gradient", "operation"
  GradientMode mode;
  RecordedProgram recorded;
  std::vector<ExplainedOperation> operations;
};

struct Explained {
  std::string_view kind;  // "program", "operation"
  std::string name;
  Selection selection;
  bool strict = false;                // only strict numerics may serve
  std::vector<ExplainedLeaf> leaves;  // of every part, in order
  std::vector<ExplainedPart> parts;
};

struct Parts {
  bool forward = false, training = false;  // the second only of programs with a loss
};

/// `parts` of the program that was chosen.
result<Explained> explain_program(std::span<const std::string> words, const ProgramChoice& choice, Parts parts,
                                  const ExecConfig& exec);

/// One operation by itself.
result<Explained> explain_operation(const OperationChoice& choice, const ExecConfig& exec);

/// What a plugin would have to bring: one request of the registry, and where it is made.
struct Demand {
  const Request* request;  // of an operation explained
  bool evaluation = false, training = false;
  std::size_t times = 0;
};
std::vector<Demand> demands_of(const Explained& explained);

/// The error of operations that nothing serves, if there are any.
std::optional<Error> gaps_of(const Explained& explained);

/// Where no device was opened: why, and for what the answers hold all the same.
std::string unopened_text(const Selection& selection);

/// "%0 = parameter fc1.weight : (16, 2)"
std::string leaf_text(const ExplainedLeaf& leaf, std::size_t id);

std::string to_json(const Explained& explained);

/// Every operation in words, and how many of them have a capsule.
std::string to_text(const Explained& explained);

}  // namespace tenon::cli
