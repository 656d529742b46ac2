// options.h: what the user said to a plugin, `--option PLUGIN.KEY=VALUE`, read and checked.
//
// A view: valid during initialize() and open(). Every reader throws KernelError where a value is not what it should be,
// in words that name the option, what was found and what was expected. Threads: any.
#pragma once
#include <charconv>
#include <initializer_list>
#include <span>
#include <string_view>

#include "tenon/plugin/query.h"

namespace tenon::plugin {

class Options {
 public:
  Options(std::string_view plugin, std::span<const tenon_attr> given) : plugin_(plugin), given_(given) {}

  std::string_view text(std::string_view name, std::string_view otherwise) const {
    const tenon_value* value = find(name);
    if (value == nullptr) return otherwise;
    if (value->type != TENON_VALUE_TEXT) wrong(name, plugin::text("a value of type ", value->type), "a text");
    return value->as.s;
  }

  std::uint64_t whole(std::string_view name, std::uint64_t otherwise) const {
    const tenon_value* value = find(name);
    if (value == nullptr) return otherwise;
    if (value->type == TENON_VALUE_INT) {
      if (value->as.i < 0) wrong(name, plugin::text(value->as.i), "a whole number");
      return static_cast<std::uint64_t>(value->as.i);
    }
    const std::string_view digits = text(name, {});
    std::uint64_t number = 0;
    const auto [rest, failure] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
    if (failure != std::errc() || rest != digits.data() + digits.size()) wrong(name, quoted(digits), "a whole number");
    return number;
  }

  /// The place of the value among the words, as an enumerator; the first where the option is not given.
  template <class Choice>
  Choice choice(std::string_view name, std::initializer_list<std::string_view> words) const {
    const std::string_view given = text(name, *words.begin());
    const auto found = std::find(words.begin(), words.end(), given);
    if (found == words.end()) wrong(name, quoted(given), any_of(words));
    return static_cast<Choice>(found - words.begin());
  }

 private:
  const tenon_value* find(std::string_view name) const {
    const tenon_value* last = nullptr;  // a later word overrides an earlier one
    for (const tenon_attr& option : given_) {
      if (option.name == name) last = &option.value;
    }
    return last;
  }
  static std::string quoted(std::string_view words) { return plugin::text("\"", words, "\""); }
  static std::string any_of(std::initializer_list<std::string_view> words) {
    std::string list;
    for (const std::string_view word : words) list += plugin::text(list.empty() ? "" : " or ", word);
    return list;
  }
  [[noreturn]] void wrong(std::string_view name, std::string_view found, std::string_view expected) const {
    refuse("[", plugin_, "] option ", plugin_, ".", name, ": found ", found, ", expected ", expected);
  }

  std::string_view plugin_;
  std::span<const tenon_attr> given_;
};

}  // namespace tenon::plugin
