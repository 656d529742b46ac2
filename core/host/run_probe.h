// run_probe.h: one run of the helper program on one plugin, and what its end means. Plain functions; any thread.
#pragma once
#include <chrono>
#include <filesystem>
#include <string>

#include "tenon/probe.h"

namespace tenon::host {

/// The first words of tenon-probe, before it looks at the plugin: what goes wrong without them is its own fault.
std::string probe_greeting();

/// PROBE_FAILED, in the program's name, if it is not the tenon-probe of this Tenon or cannot be started; what the
/// plugin did to it otherwise is in the report.
result<ProbeReport> run_probe(const std::filesystem::path& program, const Candidate& candidate,
                              std::chrono::milliseconds limit);

}  // namespace tenon::host
