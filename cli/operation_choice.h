// operation_choice.h: the flags that describe one operation: its name, the shapes of its operands, its attributes.
// Plain values.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "command.h"
#include "tenon/attributes.h"
#include "tenon/op.h"

namespace tenon::cli {

struct OperationChoice {
  const OpSpec* row = nullptr;
  std::optional<std::vector<Shape>> shapes;
  std::vector<std::string> attributes;  // "axes=(0)", in the order given
  bool training = false;

  bool empty() const { return row == nullptr && !shapes && attributes.empty() && !training; }
};

/// "64x784,784x256"; an operand without extents is "scalar".
result<void> set_shapes(OperationChoice& choice, const GivenFlag& flag);
result<void> set_operation(OperationChoice& choice, const GivenFlag& flag);

/// The rows of the flags, for a command whose arguments T have them as a base.
template <class T>
std::vector<Setting<T>> operation_settings() {
  return {{{.name = "--op",
            .metavar = "NAME",
            .expected = "the name of an operation, as in `tenon capsules`",
            .help = "one operation instead of a MODEL"},
           [](T& arguments, const GivenFlag& flag) { return set_operation(arguments, flag); }},
          {{.name = "--shape",
            .metavar = "SHAPES",
            .expected = "the extents of each operand, as in 64x784,784x256; scalar for an operand without any",
            .help = "the operands of --op"},
           [](T& arguments, const GivenFlag& flag) { return set_shapes(arguments, flag); }},
          {{.name = "--attribute",
            .metavar = "K=V",
            .expected = "the name of an attribute and its value, as in axis=1 or axes=(0,1)",
            .help = "of --op",
            .repeatable = true},
           [](T& arguments, const GivenFlag& flag) -> result<void> {
             arguments.attributes.push_back(*flag.value);
             return {};
           }},
          {{.name = "--training", .metavar = {}, .expected = {}, .help = "--op as a session that trains needs it"},
           set_true<&T::training>}};
}

/// The attributes of the operation; those that are not given have the row's defaults. A USAGE error names the slip.
result<Attributes> attributes_of(const OperationChoice& choice);

/// The names of all operations.
std::vector<std::string> operation_names();

}  // namespace tenon::cli
