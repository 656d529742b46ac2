#include "variants.h"

namespace tenon::cli {

std::vector<std::vector<std::string>> variant_rows(std::span<const VariantFacts> variants) {
  std::vector<std::vector<std::string>> rows;
  for (const VariantFacts& v : variants)
    rows.push_back({rows.empty() ? "variants" : "", v.name + (v.taken ? " taken" : " passed over: " + v.reason)});
  return rows;
}

}  // namespace tenon::cli
