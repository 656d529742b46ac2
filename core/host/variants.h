// variants.h: the variants of its kernels that a plugin tells of through the extension "tenon.variants". A plain
// function; any thread.
#pragma once
#include <vector>

#include "plugin_instance.h"
#include "tenon/probe.h"

namespace tenon::host {

/// None where the plugin does not tell.
result<std::vector<VariantFacts>> variants_of(const PluginInstance& plugin);

}  // namespace tenon::host
