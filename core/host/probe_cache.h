// probe_cache.h: outcomes of probes, kept per user between runs. A cache that cannot be read or written is an empty
// one.
#pragma once
#include <optional>
#include <string>

#include "tenon/probe.h"

namespace tenon::host {

/// What an outcome depends on: file, size, time of change, build, this Tenon and the kernel.
std::string probe_key(const Candidate& candidate);

std::optional<ProbeReport> read_probe_cache(const std::string& key);
void write_probe_cache(const std::string& key, const ProbeReport& report);

}  // namespace tenon::host
