#include "tenon/flags.h"

#include <algorithm>
#include <cstdlib>

#include "tenon/text.h"

namespace tenon {
namespace {

bool looks_like_flag(std::string_view word) { return word.size() > 1 && word.starts_with('-'); }

std::string expectation(const FlagSpec& spec) { return ", expected " + spec.expected; }

Error missing_value(const FlagSpec& spec) {
  return usage_error(std::string(spec.name) + ": missing value" + expectation(spec));
}

Error given_twice(const FlagSpec& spec) {
  return usage_error(std::string(spec.name) + ": given twice, expected once", "remove one of the two");
}

Error unwanted_value(const FlagSpec& spec, std::string_view value) {
  return usage_error(std::string(spec.name) + ": found the value \"" + shown(value) + "\", expected none",
                     "write " + std::string(spec.name) + " alone");
}

/// `--show-backend json`: a value that needs its `=`.
Error detached_value(const FlagSpec& spec, const std::string& word) {
  const std::string name(spec.name), attached = name + "=" + std::string(spec.metavar);
  return usage_error(
      name + ": found the word \"" + word + "\" after it, expected " + spec.expected,
      word == spec.metavar ? "did you mean " + attached + "?" : "write " + name + " alone, or " + attached);
}

Error unknown_flag(std::string_view word, const FlagTable& table) {
  std::vector<std::string> names;
  for (const FlagSpec* spec : table) names.emplace_back(spec->name);
  return usage_error("unknown flag: found " + shown(word), suggestion(word, names));
}

/// Walks over the arguments once; each step takes one flag with its value, or one word.
class FlagParser {
 public:
  FlagParser(std::span<const std::string> args, const FlagTable& table, UnknownFlags unknown)
      : args_(args), table_(table), unknown_(unknown) {}

  ParsedFlags parse() {
    while (next_ < args_.size() && !parsed_.error) step();
    if (!parsed_.error) add_environment();
    return std::move(parsed_);
  }

 private:
  void step() {
    const std::string& word = args_[next_++];
    if (word == "--") return end_flags();
    const std::size_t equals = word.starts_with("--") ? word.find('=') : std::string::npos;
    const std::string name = word.substr(0, equals);
    if (const FlagSpec* spec = find(name))
      return flag(*spec, equals == std::string::npos ? nullptr : &word[equals + 1]);
    if (unknown_ == UnknownFlags::refuse && looks_like_flag(word))
      parsed_.error = unknown_flag(name, table_);
    else
      parsed_.rest.push_back(word);
  }

  void end_flags() {
    if (unknown_ == UnknownFlags::keep) parsed_.rest.emplace_back("--");
    parsed_.rest.insert(parsed_.rest.end(), args_.begin() + static_cast<std::ptrdiff_t>(next_), args_.end());
    next_ = args_.size();
  }

  void flag(const FlagSpec& spec, const char* attached) {
    if (spec.takes_value() && !spec.repeatable && is_given(spec)) return refuse(given_twice(spec));
    if (!spec.takes_value() && attached != nullptr) return refuse(unwanted_value(spec, attached));
    GivenFlag given{&spec, std::nullopt};
    if (attached != nullptr)
      given.value = attached;
    else if (spec.takes_value() && !spec.value_optional && !take_next(given.value))
      return refuse(missing_value(spec));
    if (given.value && given.value->empty()) return refuse(bad_value(given));
    if (!given.value && spec.value_optional && is_detached_value(spec))
      return refuse(detached_value(spec, args_[next_]));
    parsed_.given.push_back(std::move(given));
  }

  bool take_next(std::optional<std::string>& value) {
    if (next_ == args_.size() || args_[next_].starts_with("--")) return false;
    value = args_[next_++];
    return true;
  }

  /// Another program's word may well be "json": only where all words are ours is it taken for the value.
  bool is_detached_value(const FlagSpec& spec) const {
    if (unknown_ == UnknownFlags::keep || next_ == args_.size()) return false;
    return args_[next_] == spec.metavar || args_[next_] == "text";
  }

  void add_environment() {
    for (const FlagSpec* spec : table_) {
      if (spec->environment.empty() || is_given(*spec)) continue;
      const char* value = secure_getenv(spec->environment.data());
      if (value != nullptr && *value != '\0') parsed_.given.push_back({spec, value, true});
    }
  }

  const FlagSpec* find(std::string_view name) const {
    const auto row = std::ranges::find(table_, name, &FlagSpec::name);
    return row == table_.end() ? nullptr : *row;
  }
  bool is_given(const FlagSpec& spec) const {
    return std::ranges::find(parsed_.given, &spec, &GivenFlag::spec) != parsed_.given.end();
  }
  void refuse(Error error) { parsed_.error = std::move(error); }

  std::span<const std::string> args_;
  const FlagTable& table_;
  UnknownFlags unknown_;
  std::size_t next_ = 0;
  ParsedFlags parsed_;
};

constexpr std::size_t help_width = 100;

std::string synopsis(const FlagSpec& spec) {
  std::string out = "  " + std::string(spec.name);
  if (!spec.takes_value()) return out;
  return out + (spec.value_optional ? "[=" + std::string(spec.metavar) + "]" : " " + std::string(spec.metavar));
}

std::string description(const FlagSpec& spec) {
  std::string out(spec.help);
  if (spec.takes_value()) out += ": " + spec.expected;
  if (!spec.standard.empty()) out += " (default: " + spec.standard + ")";
  if (spec.repeatable) out += "; repeatable";
  if (!spec.environment.empty()) out += " [" + std::string(spec.environment) + "]";
  return out;
}

/// Appends `text` word by word, in a column that begins at `indent`; the last line of `out` has that length already.
void append_wrapped(std::string& out, std::string_view text, std::size_t indent) {
  std::size_t column = indent;
  while (!text.empty()) {
    const std::size_t length = std::min(text.find(' '), text.size());
    if (column > indent && column + 1 + length > help_width) {
      out += '\n' + std::string(indent, ' ');
      column = indent;
    } else if (column > indent) {
      out += ' ';
      ++column;
    }
    out += text.substr(0, length);
    column += length;
    text.remove_prefix(std::min(length + 1, text.size()));
  }
}

}  // namespace

ParsedFlags parse_flags(std::span<const std::string> args, const FlagTable& table, UnknownFlags unknown) {
  return FlagParser(args, table, unknown).parse();
}

Error usage_error(std::string text, std::string hint) { return {Reason::USAGE, std::move(text), std::move(hint)}; }

std::string suggestion(std::string_view word, std::span<const std::string> choices) {
  auto meant = nearest(word, choices);
  const auto begins = [&](const std::string& choice) { return choice.starts_with(word); };
  if (!meant && std::ranges::count_if(choices, begins) == 1) meant = *std::ranges::find_if(choices, begins);
  return meant ? "did you mean " + *meant + "?" : std::string();
}

std::string shown(std::string_view value) {
  constexpr std::size_t most = 200, head = 120, tail = 60;
  if (value.size() <= most) return std::string(value);
  const auto continues = [&](std::size_t at) { return (static_cast<unsigned char>(value[at]) & 0xC0u) == 0x80u; };
  std::size_t end = head, begin = value.size() - tail;  // moved off the inside of a character
  while (end > 0 && continues(end)) --end;
  while (begin < value.size() && continues(begin)) ++begin;
  return std::string(value.substr(0, end)) + "..." + std::string(value.substr(begin));
}

Error bad_value(const GivenFlag& flag, std::span<const std::string> choices) {
  const std::string value = flag.value.value_or("");
  const std::string found = value.empty() ? "found an empty value" : "found \"" + shown(value) + "\"";
  return usage_error(std::string(flag.source()) + ": " + found + expectation(*flag.spec),
                     value.empty() ? std::string() : suggestion(value, choices));
}

result<std::uint64_t> whole_number(const GivenFlag& flag, std::uint64_t least, std::uint64_t most) {
  const auto number = parse_unsigned(*flag.value);
  if (!number || *number < least || *number > most) return fail(bad_value(flag));
  return *number;
}

result<std::size_t> one_of(const GivenFlag& flag, std::span<const std::string> choices) {
  const auto found = std::ranges::find(choices, *flag.value);
  if (found == choices.end()) return fail(bad_value(flag, choices));
  return static_cast<std::size_t>(found - choices.begin());
}

std::string help_text(const FlagTable& table) {
  std::size_t width = 0;
  for (const FlagSpec* spec : table) width = std::max(width, synopsis(*spec).size());
  std::string out;
  for (const FlagSpec* spec : table) {
    const std::string left = synopsis(*spec);
    out += left + std::string(width + 2 - left.size(), ' ');
    append_wrapped(out, description(*spec), width + 2);
    out += '\n';
  }
  return out;
}

std::string shell_word(const std::string& word) {
  constexpr std::string_view plain = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_-+=.,:/@%";
  if (!word.empty() && word.find_first_not_of(plain) == std::string::npos) return word;
  std::string out = "'";
  for (const char c : word) c == '\'' ? out.append("'\\''") : out.append(1, c);
  return out + "'";
}

}  // namespace tenon
