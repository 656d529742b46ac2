#include "unread_manifests.h"

#include <string_view>
#include <utility>

namespace tenon::host {
namespace {

/// "[manifest] /a/file: why" without the first word.
std::string_view without_origin(std::string_view text) {
  const auto end = text.starts_with('[') ? text.find("] ") : text.npos;
  return end != text.npos ? text.substr(end + 2) : text;
}

}  // namespace

std::string unread_manifests(const Catalogue& catalogue) {
  std::string out;
  std::string_view label = "\n  not read: ";
  for (const Candidate& candidate : catalogue.candidates())
    if (candidate.error && candidate.manifest.id.empty())
      out.append(std::exchange(label, "\n            ")).append(without_origin(candidate.error->text));
  return out;
}

}  // namespace tenon::host
