// variants.h: the variants of a plugin's kernels, as rows of a page. Pure function.
#pragma once
#include <span>
#include <string>
#include <vector>

#include "tenon/probe.h"

namespace tenon::cli {

/// {"variants", "avx512 taken"}, {"", "sse2 passed over: avx512 is wider"}: one row each; none without variants.
std::vector<std::vector<std::string>> variant_rows(std::span<const VariantFacts> variants);

}  // namespace tenon::cli
