#include "plugin_registry.h"

#include <mutex>

#include "host_table.h"
#include "tenon/guarded.h"

namespace tenon::host {
namespace {

struct Registry {
  std::mutex mutex;
  std::vector<std::shared_ptr<PluginInstance>> plugins;  // in order of loading
  std::vector<Library> libraries;
  bool shut_down = false;
};

Registry& registry() {
  static Registry& instance = *new Registry;
  return instance;
}

/// The loader knows a library by its file, under whatever name.
bool same_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code failed;
  return a == b || (std::filesystem::equivalent(a, b, failed) && !failed);
}

result<void> quiesce(const PluginInstance& plugin) {
  clear_plugin_error();
  const std::filesystem::path& library = plugin.candidate().manifest.library;
  TENON_TRY(const std::int32_t status,
            guarded(library, "quiesce", [&] { return plugin.table().quiesce(plugin.self()); }));
  if (status != TENON_OK) return fail(plugin_error(status, plugin.id() + ": quiesce"));
  return {};
}

/// All are asked, whatever the first one answers.
result<void> quiesce_all(const std::vector<std::shared_ptr<PluginInstance>>& plugins) {
  result<void> first;
  for (auto at = plugins.rbegin(); at != plugins.rend(); ++at)
    if (auto done = quiesce(**at); !done && first) first = std::move(done);
  return first;
}

void shut_down(const PluginInstance& plugin) {
  guarded_end(plugin.candidate().manifest.library, "shutdown", [&] { plugin.table().shutdown(plugin.self()); });
}

}  // namespace

result<std::shared_ptr<PluginInstance>> find_or_load(
    const std::filesystem::path& library, const std::function<result<std::shared_ptr<PluginInstance>>()>& make) {
  Registry& r = registry();
  const std::lock_guard lock(r.mutex);
  for (const auto& plugin : r.plugins)
    if (same_file(plugin->candidate().manifest.library, library)) return plugin;
  if (r.shut_down) return fail(Reason::SHUT_DOWN, "[plugin] " + library.string() + ": the plugins were shut down");
  r.plugins.reserve(r.plugins.size() + 1);  // one that is initialised is never lost for want of memory
  TENON_TRY(auto plugin, make());
  r.plugins.push_back(plugin);
  return plugin;
}

result<std::shared_ptr<PluginInstance>> read_alone(
    const std::function<result<std::shared_ptr<PluginInstance>>()>& read) {
  const std::lock_guard lock(registry().mutex);
  return read();
}

void keep_loaded(const Library& library) { registry().libraries.push_back(library); }

}  // namespace tenon::host

namespace tenon {

result<void> quiesce_plugins() {
  host::Registry& r = host::registry();
  const std::lock_guard lock(r.mutex);
  return host::quiesce_all(r.plugins);
}

void shutdown_plugins() {
  host::Registry& r = host::registry();
  const std::lock_guard lock(r.mutex);
  static_cast<void>(host::quiesce_all(r.plugins));  // a plugin that cannot finish its work is shut down all the same
  for (auto at = r.plugins.rbegin(); at != r.plugins.rend(); ++at) host::shut_down(**at);
  r.plugins.clear();
  r.shut_down = true;
}

}  // namespace tenon
