// options.h: how a session is to be made: what ExecConfig parses from a command line, or a program sets by hand:
// `Options{.backend = Backend::compiled}`. A plain value.
#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tenon/backend.h"
#include "tenon/launch_report.h"
#include "tenon/loaded_plugin.h"
#include "tenon/registry.h"
#include "tenon/scalar_type.h"

namespace tenon {

struct Options {
  std::string device = "auto";  // auto, cuda:1, acme/cuda
  Backend backend = Backend::eager;
  std::optional<ScalarType> dtype{};  // not set: what a module's scalar type means: double float, float strict float32
  std::optional<ReportForm> show_backend{};
  std::optional<ReportForm> profile{};  // where the time went, on standard error when the run is over
  std::string trace{};                  // the file to write a trace to; empty: none
  std::uint64_t seed = 0;
  ProviderPolicy provider{};
  std::optional<Assurance> assurance{};  // default: external for a third party's device, else checked
  std::vector<std::string> plugins{};    // libraries or manifests, looked at before all folders
  std::vector<PluginOption> options{};   // told to the plugins
  std::uint32_t threads = 0;             // 0: cores that the process may use

  ScalarType scalar_type() const { return dtype.value_or(ScalarType{}); }
  /// Where plugins are looked for.
  TENON_API SearchOptions search() const;

  TENON_API friend bool operator==(const Options& a, const Options& b);
};

}  // namespace tenon
