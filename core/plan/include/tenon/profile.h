// profile.h: --profile: where the time of a run went, by capsule.
//
// Gathers while it is told, prints once. One thread at a time.
#pragma once
#include <array>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "tenon/run_observer.h"

namespace tenon {

class TENON_API Profile final : public RunObserver {
 public:
  Profile(ReportForm form, std::FILE* out) : form_(form), out_(out) {}

  void session(const SessionFacts& facts) override { device_ = facts.device; }
  void first_launch(const Kernel& kernel, std::uint32_t number) override;
  void launched(std::uint32_t kernel, TimeSpan when) override;
  void copied(CopyKind kind, std::uint64_t bytes, TimeSpan when) override;
  void entered(std::uint64_t at_ns, std::size_t depth) override;
  void passed(std::string_view name, TimeSpan when, std::size_t depth) override;

  void print(const RunFacts& facts);

  struct Row {
    std::string name;
    std::uint64_t calls = 0, total_ns = 0, bytes = 0, flops = 0;
    bool knows_bytes = true, knows_flops = true;  // of every call
  };

 private:
  struct Figures {
    std::uint64_t bytes, flops;
  };
  std::string text(const RunFacts& facts) const;
  std::string json(const RunFacts& facts) const;
  std::vector<Row> by_total() const;
  std::uint64_t kernels_ns() const;
  std::uint64_t copies_ns() const;
  std::uint64_t all_ns() const { return kernels_ns() + copies_ns() + host_ns_; }
  std::uint64_t calls() const;

  ReportForm form_;
  std::FILE* out_;
  std::string device_;
  std::vector<Row> rows_;  // capsules, in the order of their first launch
  std::map<std::string, std::size_t> row_of_capsule_;
  std::vector<std::size_t> row_of_kernel_;
  std::vector<Figures> figures_;  // by kernel
  std::array<Row, 3> copies_{{{.name = "copies to the device", .knows_flops = false},
                              {.name = "copies from the device", .knows_flops = false},
                              {.name = "copies on the device", .knows_flops = false}}};  // by CopyKind
  void add(Row& row, TimeSpan when);
  std::uint64_t begin_ns_ = 0;   // of the run under way
  std::uint64_t inside_ns_ = 0;  // of its kernels and copies
  std::uint64_t host_ns_ = 0;    // of runs, outside of kernels and copies
};

}  // namespace tenon
