// runtime_steps.h: the steps from Options to a device with its capsules, for those who need not go all the way.
//
// Each refuses what cannot be executed, in its own words. One thread at a time.
#pragma once
#include <iosfwd>
#include <memory>
#include <string>
#include <vector>

#include "tenon/catalogue.h"
#include "tenon/options.h"
#include "tenon/registry.h"

namespace tenon::runtime_steps {

using Candidates = std::vector<Candidate>;
using Plugins = std::vector<std::shared_ptr<LoadedPlugin>>;

bool is_auto(const Options& config);

/// What no device could execute, known before one is looked for.
result<void> check_executable(const Options& config);

/// `auto` takes this project's portable CPU and nobody else's.
result<Candidate> plugin_for(const Options& config, const DeviceName& device, const Catalogue& catalogue);

/// The device's own plugin, then those whose kernels may serve too.
Candidates plugins_to_load(const Candidate& of_device, const Catalogue& catalogue);

/// An option for a plugin that is not used is a slip.
result<void> check_options(const Options& config, const Candidates& used);

/// A name that no capsule bears is a slip, not a policy.
result<void> check_provider(const ProviderPolicy& policy, const Plugins& plugins);

SelectionPolicy policy_of(const Options& config, const Candidate& candidate);

/// How real numbers are stored on a device of that name, whose own width is `native`.
result<DType> storage_of(const ScalarType& type, tenon_dtype native, const std::string& device,
                         const LoadedPlugin& plugin);

/// What the request left open and the device has settled.
void log_settled(const Options& config, const std::string& device, DType real, std::ostream& out);

}  // namespace tenon::runtime_steps
