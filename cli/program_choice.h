// program_choice.h: the flags that choose a program and its extents, and the program that they choose. Plain values.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "command.h"
#include "model.h"
#include "tenon/extents.h"
#include "tenon/program.h"

namespace tenon::cli {

inline constexpr Extent most_extent = Extent{1} << 40;

struct ProgramChoice {
  std::optional<std::string> load, data, label;
  std::optional<std::vector<Extent>> hidden;
  std::vector<BoundExtent> extents;  // the numbers of those that were named

  bool empty() const { return !load && !data && !label && !hidden && extents.empty(); }
};

/// "batch=32"; "dyn=8" is the number of every extent without a name.
result<void> add_extent(ProgramChoice& choice, const GivenFlag& flag);
result<void> set_hidden(ProgramChoice& choice, const GivenFlag& flag);

/// The rows of the flags, for a command whose arguments T have them as a base.
template <class T>
std::vector<Setting<T>> program_settings() {
  return {{{.name = "--extent",
            .metavar = "NAME=N",
            .expected = "the name of an extent and its number, as in batch=32",
            .help = "the number of an unknown extent",
            .standard = "1 for each",
            .repeatable = true},
           [](T& arguments, const GivenFlag& flag) { return add_extent(arguments, flag); }},
          {{.name = "--load",
            .metavar = "FILE",
            .expected = "a checkpoint that `tenon train --save` wrote",
            .help = "the sizes of a model are its checkpoint's"},
           set_text<&T::load>},
          {{.name = "--data",
            .metavar = "FILE",
            .expected = "a CSV file of numbers with a label column",
            .help = "the sizes of a model are those that training on this file would give it",
            .standard = "an example of 64 features and 10 classes"},
           set_text<&T::data>},
          {{.name = "--label",
            .metavar = "COLUMN",
            .expected = "the name of a column",
            .help = "what is to be learnt from --data",
            .standard = "the column label, else target, else the last"},
           set_text<&T::label>},
          {{.name = "--hidden",
            .metavar = "N,N",
            .expected = "widths of 1 to 16777216, as in 128,64",
            .help = "hidden layers of mlp, unless --load says them",
            .standard = std::string(standard_hidden)},
           [](T& arguments, const GivenFlag& flag) { return set_hidden(arguments, flag); }}};
}

/// The program that the words and the flags name: a file, or a model in the sizes of its data or checkpoint, or of an
/// example, which is said on standard error.
result<Program> find_program(std::span<const std::string> words, const ProgramChoice& choice);

/// The shapes of its inputs, where unknown extents have the numbers chosen, or 1. A name that no input has is a slip.
result<std::vector<Shape>> input_shapes(const Program& program, std::span<const BoundExtent> given);

}  // namespace tenon::cli
