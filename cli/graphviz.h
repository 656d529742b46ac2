// graphviz.h: Graphviz's program `dot`, run as a process. Plain functions.
#pragma once
#include <string>

#include "tenon/result.h"

namespace tenon::cli {

/// The picture that `dot` draws of the graph. FILE_NOT_FOUND if it is not installed; its own words if it fails.
result<std::string> draw_svg(const std::string& dot);

}  // namespace tenon::cli
