// command.h: what a command of the program is, and the one list of them. Constant data.
//
// A command answers the text for standard output and the file that it has written; main prints the one and puts the
// other in place when the command has succeeded, so that a failure prints its error and nothing else.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/atomic_file.h"
#include "tenon/exec_config.h"
#include "tenon/flags.h"

namespace tenon::cli {

/// What a command leaves: main prints `text`, then puts `file` in its place, then says `note` on standard error. Where
/// standard output fails, no file appears; that its reader has gone is no failure. With `error` the text is a listing
/// of what is wrong: the command has failed.
struct Output {
  Output(std::string results) : text(std::move(results)) {}  // NOLINT: most commands answer a text alone
  std::string text;
  std::optional<AtomicFile> file;
  std::string note;
  std::optional<Error> error;
};

struct Command {
  std::string_view name;
  std::string_view words;    // what stands before the flags: "MODEL"
  std::string_view summary;  // half a sentence
  FlagTable (*own_flags)();
  FlagTable (*exec_flags)();  // those of the execution flags that it takes
  result<Output> (*run)(std::span<const std::string> args);
};

extern const Command train_command, run_command, explain_command, graph_command, devices_command, plugins_command,
    capsules_command, models_command, new_plugin_command, check_command;

std::span<const Command* const> commands();

std::string global_help();
std::string help(const Command& command);

/// A command's flags, values and words, all checked but for the words' meaning.
template <class T>
struct Arguments {
  T own;
  ExecConfig exec;
  std::vector<std::string> words;
};

template <class T>
result<Arguments<T>> parse_arguments(std::span<const std::string> args, std::span<const Setting<T>> settings,
                                     FlagTable exec_table) {
  FlagTable table = table_of(settings);
  table.insert(table.end(), exec_table.begin(), exec_table.end());
  ParsedFlags parsed = parse_flags(args, table, UnknownFlags::refuse);
  ExecFlags exec(parsed);
  Arguments<T> out;
  for (const GivenFlag& flag : parsed.given) {
    TENON_TRY(const bool executes, exec.take(flag));
    if (!executes) TENON_CHECK(apply(settings, flag, out.own));
  }
  if (parsed.error) return fail(*std::move(parsed.error));
  TENON_TRY(out.exec, exec.finish());
  out.words = std::move(parsed.rest);
  return out;
}

/// USAGE error if words are left over.
result<void> expect_no_words(std::span<const std::string> words);

/// Just --plugin; just --plugin and --device; none.
FlagTable plugin_flags();
FlagTable plugin_and_device_flags();
FlagTable no_flags();
FlagTable planning_flags();  // all but those that watch a run

// Setters for the rows of commands.

template <auto Member, class T>
result<void> set_true(T& target, const GivenFlag&) {
  target.*Member = true;
  return {};
}

template <auto Member, class T>
result<void> set_text(T& target, const GivenFlag& flag) {
  target.*Member = *flag.value;
  return {};
}

template <auto Member, std::uint64_t least, std::uint64_t most, class T>
result<void> set_whole(T& target, const GivenFlag& flag) {
  TENON_TRY(target.*Member, whole_number(flag, least, most));
  return {};
}

}  // namespace tenon::cli
