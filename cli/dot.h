// dot.h: an explained function as a graph in Graphviz's language, the capsule on every operation. Pure function.
#pragma once
#include <string>

#include "explain.h"

namespace tenon::cli {

/// One node for each operation and each leaf that one takes, from top to bottom. Operations after the part's result,
/// its gradient, stand in a frame of their own; one without a capsule is red.
std::string to_dot(const Explained& explained, const ExplainedPart& part);

}  // namespace tenon::cli
