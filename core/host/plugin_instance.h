// plugin_instance.h: the one implementation of LoadedPlugin, and how it comes to be. Immutable once made.
#pragma once
#include <memory>
#include <span>

#include "library.h"
#include "tables.h"
#include "tenon/loaded_plugin.h"

namespace tenon::host {

struct ValidatedPlugin;

class PluginInstance final : public LoadedPlugin {
 public:
  /// Loads without a probe: for this project's plugins, for the helper program, and after a probe. One thread at a
  /// time.
  static result<std::shared_ptr<PluginInstance>> make(const Candidate& candidate,
                                                      std::span<const PluginOption> options);

  /// The same without initialising.
  static result<std::shared_ptr<PluginInstance>> inspect(const Candidate& candidate);

  bool initialised() const override { return process_ != 0; }
  const Candidate& candidate() const override { return candidate_; }
  const std::string& id() const override { return id_; }
  const std::string& version() const override { return version_; }
  const tenon_devices& devices() const override { return tables_.devices; }
  std::span<const tenon_capsule* const> capsules() const override { return tables_.usable; }
  std::span<const RejectedCapsule> rejected_capsules() const override { return tables_.rejected; }
  void* self() const override { return self_; }
  void* devices_self() const override { return devices_self_; }

  const tenon_plugin& table() const { return tables_.plugin; }
  const tenon_reply& reply() const { return reply_; }
  pid_t process() const { return process_; }

 private:
  explicit PluginInstance(const Candidate& candidate) : candidate_(candidate) {}
  static result<std::shared_ptr<PluginInstance>> read(const Candidate& candidate);
  result<void> copy_tables(const Library& library);
  result<void> check_identity() const;
  result<void> initialize(std::span<const PluginOption> options);

  Candidate candidate_;
  std::string id_, version_;
  tenon_reply reply_{};
  PluginTables tables_;
  void* self_ = nullptr;
  std::shared_ptr<ValidatedPlugin> validated_;  // null unless TENON_VALIDATE
  void* devices_self_ = nullptr;
  pid_t process_ = 0;  // which initialised it; 0: none
};

/// As enumerate_devices, without its care for exceptions and for standard output, which the probe must see.
result<std::vector<DeviceFacts>> enumerate(const PluginInstance& plugin);

/// A copy of what enumerate says; texts that are missing are empty.
DeviceFacts device_facts(const tenon_device_info& theirs);

}  // namespace tenon::host
