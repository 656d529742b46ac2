// run.h: the flags of `tenon run`, and the two things that it can run. Plain values.
#pragma once
#include <optional>
#include <string>

#include "checkpoint.h"
#include "command.h"

namespace tenon::cli {

struct RunArguments {
  std::optional<std::string> load, input, output;
};

/// USAGE error if the flag of row `row` of the command is not given.
result<void> require(const std::optional<std::string>& value, std::size_t row);
enum RunFlag : std::size_t { load_flag, input_flag, output_flag };

/// Does the word before the flags name a program's file? It ends in `.tenon`; a word behind it is a USAGE error.
result<bool> names_program_file(std::span<const std::string> words);

/// The model that was asked for, in the sizes that its checkpoint speaks of.
ModelConfig config_for(const ModelKind& kind, const Checkpoint& about);

/// `tenon run FILE.tenon`
result<Output> run_program(const std::string& file, const RunArguments& arguments, const ExecConfig& exec);

}  // namespace tenon::cli
