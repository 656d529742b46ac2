// plugin_registry.h: the plugins of this process. Process-wide, since a shared object is; never destroyed, so that
// nothing runs at exit. Any thread may call.
#pragma once
#include <functional>
#include <memory>

#include "library.h"
#include "plugin_instance.h"

namespace tenon::host {

/// The plugin already loaded from this library, or what `make` gives, which then stays. One load at a time.
result<std::shared_ptr<PluginInstance>> find_or_load(
    const std::filesystem::path& library, const std::function<result<std::shared_ptr<PluginInstance>>()>& make);

/// What `read` gives, which nobody else meets. Waits for loads and is waited for.
result<std::shared_ptr<PluginInstance>> read_alone(
    const std::function<result<std::shared_ptr<PluginInstance>>()>& read);

/// A library stays mapped even if its plugin is refused: unloading runs code, too.
void keep_loaded(const Library& library);

}  // namespace tenon::host
