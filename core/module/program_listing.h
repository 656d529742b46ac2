// program_listing.h: a program as it was read: its declarations, and its operations with the lines they stand on.
//
// Owned, shared, by the functions of the Program made of it; nothing changes once it is read. Any thread.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "tenon/line_scanner.h"
#include "tenon/program.h"

namespace tenon {

/// What a value is that comes from outside, and which one of its kind.
struct ListedLeaf {
  enum class Kind : std::uint8_t { parameter, state, real, natural };
  Kind kind;
  std::size_t index;
  NumberedLine line;
};

struct StatedType {
  std::string_view label;
  Shape shape;
};

struct ListedOperation {
  const OpSpec* row;
  std::vector<std::uint32_t> operands;
  Attributes attributes;
  bool names_extents;              // an attribute takes what the inputs bind
  std::vector<StatedType> stated;  // one for each result, or none
  std::uint32_t first_result;
  NumberedLine line;
};

struct ListedUpdate {
  std::uint32_t state, value;
  NumberedLine line;
};

/// Values are numbered: the leaves, then the results in order.
struct ProgramSection {
  std::vector<ListedOperation> operations;
  std::vector<ListedUpdate> updates;
  std::optional<std::uint32_t> result;
  NumberedLine result_line;
  std::vector<OperandType> types;
  std::vector<bool> uses;  // for each leaf
};

struct ProgramListing {
  std::string text, place;  // "[program] model.tenon"
  std::string name;
  std::vector<ListedLeaf> leaves;
  std::vector<ParameterSpec> parameters;
  std::vector<StateSpec> states;
  std::vector<InputSpec> reals, naturals;
  std::size_t forward_reals = 0, forward_naturals = 0;
  std::optional<ProgramSection> forward, loss, training_loss;
};

/// Reads the lines of `listing.text`, whose place and name are set.
result<void> read_listing(ProgramListing& listing);

/// Records a section for the extents that the arguments have. The recorder fails, with the line, where they do not fit.
Value replay(const ProgramListing& listing, const ProgramSection& section, const ProgramArguments& arguments);

}  // namespace tenon
