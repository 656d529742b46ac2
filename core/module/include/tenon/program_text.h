// program_text.h: a Program as a text, and the Program that such a text stands for. The grammar: docs/text-form.md.
//
// A Program that was read owns its text; its functions may be called by any thread. Errors name file and line.
#pragma once
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

#include "tenon/extents.h"
#include "tenon/program.h"
#include "tenon/result.h"

namespace tenon {

/// Checked whole, with every operation's rule, before it is answered: FILE_MALFORMED or SHAPE_MISMATCH, beginning
/// "[program] `file_name` line 7: ". What only real extents show comes with its line too, when the program is recorded.
/// A text without `loss` gives a Program without a loss function.
TENON_API result<Program> parse_program(std::string_view text, std::string_view file_name);

/// The same of a file of at most 16 MiB.
TENON_API result<Program> read_program(const std::filesystem::path& file);

/// The text of a program, with its unknown extents by name where it records the same operations whatever they are;
/// otherwise for the extents given, where one that is not given is nominal_extent. INVALID_ARGUMENT where the program
/// has no forward function, which the form demands; another error is the program's own.
TENON_API result<std::string> to_text(const Program& program, std::span<const BoundExtent> otherwise = {});

}  // namespace tenon
