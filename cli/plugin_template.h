// plugin_template.h: the files of sdk/template, which the build makes a part of the program. Constant data; any thread.
#pragma once
#include <span>
#include <string_view>

namespace tenon::cli {

struct TemplateFile {
  std::string_view name, text;
};

std::span<const TemplateFile> plugin_template();

}  // namespace tenon::cli
