// launch_report.h: --show-backend: which capsule ran, said when it first runs.
//
// Written to standard error. One thread at a time.
#pragma once
#include <cstdio>
#include <set>
#include <string>

#include "tenon/run_observer.h"

namespace tenon {

class TENON_API LaunchReport final : public RunObserver {
 public:
  using Form = ReportForm;

  LaunchReport(Form form, std::FILE* out) : form_(form), out_(out) {}

  bool needs_times() const override { return false; }
  void session(const SessionFacts& facts) override;
  void first_launch(const Kernel& kernel, std::uint32_t number) override;
  void launched(std::uint32_t, TimeSpan) override { ++calls_; }
  /// The last line: calls per device.
  void summary();

 private:
  void put(const std::string& line);

  Form form_;
  std::FILE* out_;
  SessionFacts facts_;
  std::set<std::string> capsules_;  // announced ones
  std::uint64_t calls_ = 0;
};

}  // namespace tenon
