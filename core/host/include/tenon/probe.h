// probe.h: what a plugin does when it is loaded and asked for its devices, found out in a helper process.
//
// A crash or a hang there is a reason code here. Outcomes are kept per user below $XDG_CACHE_HOME/tenon/probes. Any
// thread may call.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "tenon/catalogue.h"
#include "tenon/loaded_plugin.h"

namespace tenon {

/// Whose kernels a plugin brings.
struct ProviderFacts {
  std::string name;
  std::uint64_t capsules = 0;
};

/// One of the forms that a plugin's kernels come in, an instruction set say.
struct VariantFacts {
  std::string name, reason;  // reason: why it was passed over
  bool taken = false;
};

struct ProbeReport {
  std::string id{}, vendor{}, version{};
  std::uint32_t abi_min = 0, abi_max = 0;
  std::vector<DeviceFacts> devices{};
  std::vector<ProviderFacts> providers{};  // in order of declaration
  std::vector<VariantFacts> variants{};
  std::optional<Error> error{};    // why the plugin cannot be used
  std::optional<Error> warning{};  // PRINTED_ON_PROBE
  std::int64_t made_at_s = 0;      // since 1970; 0: not known
  std::uint64_t took_ms = 0;       // the helper process from its start to its end
};

/// Runs `tenon-probe` on the plugin, or answers from the cache unless `renew`. Fails only if no helper of this Tenon
/// could be run (PROBE_FAILED). The time limit is 10 s; TENON_PROBE_TIMEOUT_MS sets another, of 1 to 3,600,000.
TENON_API result<ProbeReport> probe(const Candidate& candidate, bool renew);

/// What the cache knows; runs nothing.
TENON_API std::optional<ProbeReport> cached_probe(const Candidate& candidate);

/// The helper's side: loads the plugin that a manifest or library names and writes the report to a descriptor.
TENON_API void answer_probe(const std::filesystem::path& file, int descriptor);

}  // namespace tenon
