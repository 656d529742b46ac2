// load_error.h: the dynamic loader's words, sorted into reasons. A plain function.
#pragma once
#include <filesystem>
#include <string>

#include "tenon/error.h"

namespace tenon::host {

/// The loader often names only the dependency, or only the plugin: the error names both.
Error load_error(const std::filesystem::path& plugin, const std::string& loader_words);

}  // namespace tenon::host
