#include "tenon/guarded.h"

#include "tenon/log.h"

namespace tenon {
namespace {

std::string words_of_current_exception() {
  try {
    throw;
  } catch (const std::exception& thrown) {
    return thrown.what();
  } catch (...) {
    return "of a type that the host does not know";
  }
}

std::string escaped_text(const std::filesystem::path& plugin, const char* function) {
  return plugin.string() + ": an exception escaped from " + function + ": " + words_of_current_exception();
}

}  // namespace

Error escaped_exception(const std::filesystem::path& plugin, const char* function) {
  return {Reason::EXCEPTION_ESCAPED, "[plugin] " + escaped_text(plugin, function), {}};
}

void warn_of_escaped_exception(const std::filesystem::path& plugin, const char* function) {
  logging::write(logging::Level::warn, "plugin", escaped_text(plugin, function));
}

}  // namespace tenon
