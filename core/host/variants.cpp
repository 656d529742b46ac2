#include "variants.h"

#include "tenon/extensions.h"
#include "tenon/guarded.h"

namespace tenon::host {
namespace {

std::string text_of(const char* text) { return text != nullptr ? text : ""; }

}  // namespace

result<std::vector<VariantFacts>> variants_of(const PluginInstance& plugin) {
  const auto ask = plugin.table().extension;
  if (ask == nullptr) return {};
  const auto call = [&] { return ask(plugin.self(), TENON_EXTENSION_VARIANTS, TENON_EXTENSION_VARIANTS_VERSION); };
  TENON_TRY(const void* const told, guarded(plugin.candidate().manifest.library, "extension", call));
  std::vector<VariantFacts> out;
  if (told == nullptr) return out;
  const auto& table = *static_cast<const tenon_variants*>(told);
  for (std::uint32_t i = 0; table.of != nullptr && i < table.count; ++i)
    out.push_back({text_of(table.of[i].name), text_of(table.of[i].reason), table.of[i].taken != 0});
  return out;
}

}  // namespace tenon::host
