// examined.h: the plugin under examination, with nothing of the host's between it and the checks: its own tables,
// where what it leaves out is null.
//
// Loaded once in the helper process and never unloaded. One thread at a time, but for the tables, which never change.
#pragma once
#include <memory>
#include <optional>

#include "library.h"
#include "surroundings.h"
#include "tables.h"
#include "tenon/loaded_plugin.h"
#include "verdict.h"

namespace tenon::check {

class Examined {
 public:
  /// Looks at the file, loads it and asks it once, as a host does.
  static sought<std::unique_ptr<Examined>> load(const std::filesystem::path& file);
  Examined(const Examined&) = delete;
  Examined& operator=(const Examined&) = delete;

  const std::filesystem::path& library() const { return library_.file(); }
  /// Of the manifest that was named; nothing where the library was.
  const std::optional<Manifest>& manifest() const { return manifest_; }
  host::QueryFunction query() const { return query_; }
  const tenon_reply& reply() const { return reply_; }
  /// As the plugin gives them, of the size that it says.
  const tenon_plugin& raw() const { return *reply_.plugin; }
  /// Copies of the current size; absent slots are null.
  const tenon_plugin& plugin() const { return plugin_; }
  const tenon_devices& devices() const { return devices_; }
  /// What the host says of the tables; nothing if it accepts them.
  const std::optional<Error>& table_fault() const { return table_fault_; }
  std::span<const tenon_capsule* const> capsules() const { return host_copies_.usable; }
  std::span<const RejectedCapsule> rejected() const { return host_copies_.rejected; }
  /// Threads of the process before and after it was loaded.
  std::pair<std::size_t, std::size_t> threads() const { return {threads_before_, threads_after_}; }
  /// By loading and by the query; by initialize, whoever called it first.
  const Changes& changed_by_load() const { return changed_by_load_; }
  const Changes& changed_by_initialize() const { return changed_by_initialize_; }

  /// Calls initialize unless it was called.
  Verdict initialize();
  bool is_initialized() const { return is_initialized_; }
  void* self() const { return self_; }

  /// Of a plugin that brings devices, once it is initialised.
  sought<std::vector<DeviceFacts>> enumerate() const;

 private:
  Examined() = default;
  Verdict open(const std::filesystem::path& file);
  Verdict ask();
  void copy_tables();

  host::Library library_;
  std::optional<Manifest> manifest_;
  host::QueryFunction query_ = nullptr;
  tenon_reply reply_{};
  tenon_plugin plugin_{};
  tenon_devices devices_{};
  host::PluginTables host_copies_;
  std::optional<Error> table_fault_;
  void* self_ = nullptr;
  bool is_initialized_ = false;
  Changes changed_by_load_, changed_by_initialize_;
  std::size_t threads_before_ = 0, threads_after_ = 0;
};

/// A query as the host makes it, with the counting host's table.
tenon_query usual_query();

std::size_t threads_of_this_process();

}  // namespace tenon::check
