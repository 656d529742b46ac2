// json_output.h: the listings for programs to read, and lists of names inside a checkpoint. The one place that knows
// JSON. Pure functions.
#pragma once
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "model.h"
#include "survey.h"
#include "tenon/loaded_plugin.h"

namespace tenon::cli {

std::string to_json(std::span<const SurveyedDevice> devices);
std::string to_json(const Catalogue& catalogue);
std::string to_json(std::span<const tenon_capsule* const> capsules, const LoadedPlugin& plugin);
std::string to_json(std::span<const ModelKind> models);

/// ["a","b"]
std::string list_text(std::span<const std::string> names);
/// Empty if the text is no such list.
std::vector<std::string> parse_list(std::string_view text);

/// "f32", "f32 u32": the dtypes of each combination that a capsule takes, each named once.
std::vector<std::string> dtype_words(const tenon_capsule& capsule);

}  // namespace tenon::cli
