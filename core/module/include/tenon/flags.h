// flags.h: one small command-line parser for every flag that Tenon has.
//
// A flag is a row of data: the same row parses it, prints its help line and words its errors. Rules: `--flag value` and
// `--flag=value` mean the same; no abbreviations; a value is never empty and never begins with `--`; a flag that takes
// a value is given once unless it is repeatable; `--` ends the flags. An environment twin counts where the flag is not
// given; empty means unset. Plain values and functions; any thread may call them.
#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/result.h"

namespace tenon {

struct FlagSpec {
  std::string_view name;              // "--backend"
  std::string_view metavar;           // "B"; empty: it takes no value
  std::string expected;               // "eager or compiled": ends every error about its value
  std::string_view help;              // one line
  std::string standard = {};          // the value that holds when it is not given, in words
  std::string_view environment = {};  // "TENON_BACKEND"; empty: it has no twin
  bool repeatable = false;
  bool value_optional = false;  // bare, or with =value

  bool takes_value() const { return !metavar.empty(); }
};

using FlagTable = std::vector<const FlagSpec*>;

struct GivenFlag {
  const FlagSpec* spec;
  std::optional<std::string> value;  // nothing: it was given bare
  bool from_environment = false;

  /// What the user wrote: "--backend" or "TENON_BACKEND".
  std::string_view source() const { return from_environment ? spec->environment : spec->name; }
};

struct ParsedFlags {
  std::vector<GivenFlag> given;   // in the order of the command line, then those of the environment
  std::vector<std::string> rest;  // everything else, in order
  std::optional<Error> error;     // the first error of form; `given` holds what stands before it
};

/// Arguments that look like flags but stand in no row: kept for another parser (with `--`), or refused.
enum class UnknownFlags : std::uint8_t { keep, refuse };

/// Splits a command line. The rows must outlive the answer.
TENON_API ParsedFlags parse_flags(std::span<const std::string> args, const FlagTable& table, UnknownFlags unknown);

/// A USAGE error about a flag's value: `--backend: found "fast", expected eager or compiled`; suggests the nearest of
/// `choices`.
TENON_API Error bad_value(const GivenFlag& flag, std::span<const std::string> choices = {});

/// A value as errors show it: the middle of one of more than 200 bytes is left out.
TENON_API std::string shown(std::string_view value);

TENON_API Error usage_error(std::string text, std::string hint = {});

/// `did you mean WORD?` for the choice that was probably meant, or nothing.
TENON_API std::string suggestion(std::string_view word, std::span<const std::string> choices);

/// A whole decimal number from `least` to `most`.
TENON_API result<std::uint64_t> whole_number(const GivenFlag& flag, std::uint64_t least, std::uint64_t most);

/// The position of the value in `choices`.
TENON_API result<std::size_t> one_of(const GivenFlag& flag, std::span<const std::string> choices);

/// As a shell takes it for one word: in single quotes unless every character stands for itself.
TENON_API std::string shell_word(const std::string& word);

/// The help lines of a table, aligned, at most 100 columns wide.
TENON_API std::string help_text(const FlagTable& table);

/// A row together with what it does to a T.
template <class T>
struct Setting {
  FlagSpec flag;
  result<void> (*set)(T& target, const GivenFlag& flag);
};

template <class T>
FlagTable table_of(std::span<const Setting<T>> settings) {
  FlagTable table;
  for (const Setting<T>& setting : settings) table.push_back(&setting.flag);
  return table;
}

/// Applies a flag to `target` if it is one of `settings`; answers whether it is.
template <class T>
result<bool> apply(std::span<const Setting<T>> settings, const GivenFlag& flag, T& target) {
  for (const Setting<T>& setting : settings) {
    if (&setting.flag != flag.spec) continue;
    TENON_CHECK(setting.set(target, flag));
    return true;
  }
  return false;
}

}  // namespace tenon
