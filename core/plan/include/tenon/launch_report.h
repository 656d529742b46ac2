// launch_report.h: --show-backend: which capsule ran, said when it first runs.
//
// Written to standard error. Where no report is wanted there is no LaunchReport, and a launch costs one comparison.
// One thread at a time.
#pragma once
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tenon/kernel.h"

namespace tenon {

/// What a report says of a session before anything runs.
struct SessionFacts {
  std::string device, device_name, backend, dtype, storage, numerics, policy, assurance;
  std::string plugin, plugin_version, plugin_file;
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;
};

class TENON_API LaunchReport {
 public:
  enum class Form : std::uint8_t { text, json };
  static constexpr std::uint32_t unseen = ~std::uint32_t{0};

  LaunchReport(Form form, std::FILE* out) : form_(form), out_(out) {}

  void session(const SessionFacts& facts);
  /// Counts one call; prints the capsule's line before its first. `entry` is the step's place here, kept by the step.
  void launching(const Kernel& kernel, std::uint32_t& entry) {
    if (entry == unseen) [[unlikely]]
      entry = announce(kernel);
    ++calls_[entry];
  }
  /// The last line: calls per device.
  void summary();

 private:
  std::uint32_t announce(const Kernel& kernel);
  void put(const std::string& line);

  Form form_;
  std::FILE* out_;
  SessionFacts facts_;
  std::map<std::string, std::uint32_t> entries_;  // by capsule name
  std::vector<std::uint64_t> calls_;
};

}  // namespace tenon
