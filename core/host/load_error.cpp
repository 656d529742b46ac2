#include "load_error.h"

#include <optional>

namespace tenon::host {
namespace {

/// What stands after `before`, up to `after` or the end.
std::optional<std::string> between(const std::string& text, std::string_view before, std::string_view after) {
  const auto at = text.find(before);
  if (at == text.npos) return std::nullopt;
  const auto begin = at + before.size();
  return text.substr(begin, text.find(after, begin) - begin);
}

std::optional<std::string> missing_file(const std::string& words, const std::filesystem::path& plugin) {
  const auto at = words.find(": cannot open shared object file");
  if (at == words.npos) return std::nullopt;
  const std::string file = words.substr(0, at);
  return file == plugin.string() ? std::nullopt : std::optional(file);
}

std::optional<std::string> undefined_symbol(const std::string& words) {
  if (auto symbol = between(words, "undefined symbol: ", ",")) return symbol->substr(0, symbol->find_first_of(" ("));
  return std::nullopt;
}

/// "/lib/libc.so.6: version `GLIBC_2.99' not found (required by ...)"
std::optional<std::string> missing_version(const std::string& words) {
  return words.find("not found (required by") == words.npos ? std::nullopt : between(words, "version `", "'");
}

}  // namespace

Error load_error(const std::filesystem::path& plugin, const std::string& loader_words) {
  const std::string where = "[plugin] " + plugin.string() + ": ";
  if (const auto file = missing_file(loader_words, plugin))
    return {Reason::MISSING_DEPENDENCY, where + "a dependency is missing: " + *file, "install " + *file};
  if (const auto needed = missing_version(loader_words))
    return {Reason::MISSING_DEPENDENCY,
            where + "a dependency is too old: " + *needed + " is needed (" + loader_words + ")",
            "update the library that should provide " + *needed};
  if (const auto symbol = undefined_symbol(loader_words))
    return {Reason::UNDEFINED_SYMBOL, where + "undefined symbol: " + *symbol, {}};
  return {Reason::LOAD_FAILED, where + "the dynamic loader refused it: " + loader_words, {}};
}

}  // namespace tenon::host
