// test_device.h: the devices that the suite runs on: every one through the real loader.
#pragma once
#include <gtest/gtest.h>

#include <filesystem>
#include <string>

#include "tenon/catalogue.h"
#include "tenon/registry.h"

namespace tenon::test {

/// Kinds of device that everything runs on.
inline const std::vector<std::string>& device_kinds() {
  static const std::vector<std::string> kinds{"cpu", "late"};
  return kinds;
}

inline SearchOptions search_with_fakes() {
  return {{std::filesystem::path(TENON_TEST_BUILD_DIR) / "test-plugins" / "late" / "late.tenon.json"}};
}

/// The plugin of a fake that brings kernels and no device.
inline result<std::shared_ptr<LoadedPlugin>> load_kernels(const std::string& name) {
  const auto manifest = std::filesystem::path(TENON_TEST_BUILD_DIR) / "test-plugins" / name / (name + ".tenon.json");
  TENON_TRY(const Catalogue catalogue, Catalogue::scan({{manifest}}));
  return LoadedPlugin::load(catalogue.candidates().front(), {});
}

/// Loads the kind's plugin, opens its device and makes a registry of its capsules and those of `more`; the test fails
/// with the error's text.
inline result<Registry> open_registry(const std::string& kind, SelectionPolicy policy,
                                      const std::vector<std::string>& more = {}) {
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(search_with_fakes()));
  TENON_TRY(const DeviceName device, parse_device(kind, catalogue));
  TENON_TRY(const Candidate candidate, find_plugin(device, catalogue));
  TENON_TRY(auto plugin, LoadedPlugin::load(candidate, {}));
  TENON_TRY(auto opened, Device::open(plugin, device.kind, device.ordinal));
  if (!candidate.own) policy.assurance = Assurance::external;
  std::vector<std::shared_ptr<LoadedPlugin>> plugins{std::move(plugin)};
  for (const std::string& name : more) {
    TENON_TRY(auto kernels, load_kernels(name));
    plugins.push_back(std::move(kernels));
  }
  return Registry(std::move(opened), std::move(plugins), std::move(policy));
}

inline Registry registry_with(const std::string& kind, const SelectionPolicy& policy,
                              const std::vector<std::string>& more) {
  auto registry = open_registry(kind, policy, more);
  if (!registry) {
    ADD_FAILURE() << to_string(registry.error());
    std::abort();
  }
  return *std::move(registry);
}

inline Registry registry_of(const std::string& kind, const SelectionPolicy& policy = {}) {
  return registry_with(kind, policy, {});
}

/// Where bits are compared: --dtype float32 selects so.
inline SelectionPolicy strict_policy() { return {.strict = true}; }

/// How --dtype float32 and --dtype float select.
inline SelectionPolicy policy_of(DType real) { return {.strict = real == DType::f32}; }

}  // namespace tenon::test
