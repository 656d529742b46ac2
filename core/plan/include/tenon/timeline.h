// timeline.h: --trace: everything that happened, as Chrome's trace events, which Perfetto opens.
//
// Format: "Trace Event Format" (the JSON object form): complete events (X) for parts of a run, launches and copies, a
// counter (C) of device memory, names as metadata (M). One process; a track for the host, one for the device's stream,
// one for copies. Keeps at most `most_events`, the first ones; what encloses them is kept as well. One thread at a
// time.
#pragma once
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "tenon/run_observer.h"

namespace tenon {

class TENON_API Timeline final : public RunObserver {
 public:
  static constexpr std::size_t standard_limit = 1'000'000;
  explicit Timeline(std::size_t most_events = standard_limit) : most_events_(most_events) {}

  void session(const SessionFacts& facts) override { facts_ = facts; }
  void launched(std::uint32_t kernel, TimeSpan when) override;
  void copied(CopyKind kind, std::uint64_t bytes, TimeSpan when) override;
  void memory(std::uint64_t bytes_in_use, std::uint64_t at_ns) override;
  void passed(std::string_view name, TimeSpan when, std::size_t depth) override;

  /// Events that came when there was no more room, or no memory.
  std::uint64_t dropped() const { return dropped_; }
  std::size_t size() const { return events_.size(); }

  /// Gives the file's text to `sink`, in parts.
  result<void> write(const RunFacts& facts, const std::function<result<void>(std::string_view)>& sink) const;

 private:
  enum class Kind : std::uint8_t { part, launch, copy, memory };
  struct Event {
    TimeSpan when;
    std::uint64_t value;    // bytes of a copy or in use; the number of a part among those of its name
    std::string_view name;  // of a part
    std::uint32_t which;    // the kernel of a launch, the kind of a copy
    Kind kind;
  };
  bool has_room();
  void keep(const Event& event) noexcept;
  std::uint64_t count_part(std::string_view name) noexcept;
  std::string head(const RunFacts& facts) const;
  std::string text(const Event& event, const RunFacts& facts) const;
  std::string launch_text(const Event& event, const WatchedKernel& kernel) const;
  std::string copy_text(const Event& event) const;
  std::string part_text(const Event& event) const;
  std::string memory_text(const Event& event) const;

  std::size_t most_events_;
  SessionFacts facts_;
  std::vector<Event> events_;
  std::map<std::string_view, std::uint64_t> parts_;  // how many of each name there were
  std::uint64_t dropped_ = 0;
};

}  // namespace tenon
