// plugin_of.h: a plugin that is no file: capsules that a test wrote, and no device.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "tenon/loaded_plugin.h"

namespace tenon::test {

class PluginOf final : public LoadedPlugin {
 public:
  PluginOf(std::string id, std::vector<tenon_capsule> capsules, bool initialised = true)
      : id_(std::move(id)), capsules_(std::move(capsules)), initialised_(initialised) {
    for (const tenon_capsule& c : capsules_) pointers_.push_back(&c);
  }
  bool initialised() const override { return initialised_; }
  const Candidate& candidate() const override { return candidate_; }
  const std::string& id() const override { return id_; }
  const std::string& version() const override { return id_; }
  const tenon_devices& devices() const override { return devices_; }
  std::span<const tenon_capsule* const> capsules() const override { return pointers_; }
  std::span<const RejectedCapsule> rejected_capsules() const override { return {}; }
  void* self() const override { return nullptr; }

 private:
  std::string id_;
  std::vector<tenon_capsule> capsules_;
  std::vector<const tenon_capsule*> pointers_;
  bool initialised_;
  Candidate candidate_{};
  tenon_devices devices_{};
};

}  // namespace tenon::test
