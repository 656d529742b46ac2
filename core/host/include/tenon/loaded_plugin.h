// loaded_plugin.h: a plugin in this process: negotiated, its table copied and completed, initialised.
//
// Loaded at most once per process and never unloaded in normal runs; `shutdown_plugins` at exit is the only end.
// All members may be called from any thread.
#pragma once
#include <algorithm>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "tenon/catalogue.h"
#include "tenon/plugin.h"

namespace tenon {

struct PluginOption {
  std::string plugin, key, value;  // --option plugin.key=value
};

/// A capsule that the host left out when it copied the table, and why.
struct RejectedCapsule {
  std::string name;
  Error error;
};

class TENON_API LoadedPlugin {
 public:
  /// Checks the file, probes it in a helper process if it is a third party's or a GPU's, loads, negotiates, copies the
  /// tables and initialises. Loading a second time gives the same object.
  static result<std::shared_ptr<LoadedPlugin>> load(const Candidate& candidate, std::span<const PluginOption> options);

  /// The same up to initialising: what the plugin declares may be read, none of its functions may be called. Probed
  /// first as above; one that crashed or hung there is not read. Reading twice gives two objects, which no other call
  /// meets.
  static result<std::shared_ptr<LoadedPlugin>> inspect(const Candidate& candidate);

  virtual ~LoadedPlugin() = default;
  /// False for a plugin that was only inspected.
  virtual bool initialised() const { return true; }
  virtual const Candidate& candidate() const = 0;
  virtual const std::string& id() const = 0;
  virtual const std::string& version() const = 0;
  /// Never null slots: those that the plugin lacks return TENON_UNIMPLEMENTED.
  virtual const tenon_devices& devices() const = 0;
  /// The host's own copies: complete, of the current size, with the trust that the plugin is allowed. `supports` and
  /// `prepare` are called with such a copy.
  virtual std::span<const tenon_capsule* const> capsules() const = 0;
  virtual std::span<const RejectedCapsule> rejected_capsules() const = 0;
  virtual void* self() const = 0;
  /// What devices().enumerate and open take: self, or what stands for it under TENON_VALIDATE.
  virtual void* devices_self() const { return self(); }
};

/// What enumerate said about one device; owns its strings.
struct DeviceFacts {
  std::string kind, name, driver, architecture, memory_domain, why_unusable;
  std::uint32_t ordinal = 0, device_class = 0, flags = 0;
  std::uint64_t memory_bytes = 0, max_allocation_bytes = 0;
  std::uint32_t base_alignment_bytes = 64, offset_alignment_bytes = 64;
  tenon_dtype native_float{};
  std::int32_t usable = 0;
  bool software() const { return (flags & TENON_DEVICE_SOFTWARE) != 0; }
  /// What memory is asked for with: every signature promises 64 bytes, whatever the device is content with.
  std::uint64_t alignment_bytes() const {
    return std::max<std::uint64_t>({64, base_alignment_bytes, offset_alignment_bytes});
  }
};
TENON_API result<std::vector<DeviceFacts>> enumerate_devices(LoadedPlugin& plugin);

/// Lets every loaded plugin finish its work: before a fork, and before shutdown_plugins().
TENON_API result<void> quiesce_plugins();

/// Quiesces, then shuts the plugins down, last loaded first. All devices are closed before; nothing loads afterwards.
TENON_API void shutdown_plugins();

/// The calling thread's last error text that a plugin gave through set_error, and forgets it.
TENON_API std::string take_plugin_error();

/// Forgets it, so that the next error has its own words: before a call whose status will be asked for them.
TENON_API void clear_plugin_error();

/// An Error for a failed call: `[where] ` + the plugin's own words; the reason follows from the status.
TENON_API Error plugin_error(std::int32_t status, std::string_view where);

}  // namespace tenon
