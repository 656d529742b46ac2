// run_observer.h: what --show-backend, --profile and --trace have in common: they are told what runs.
//
// A Watch (watch.h) tells each of its observers, on the session's thread. Times are nanoseconds since the watch began.
// What ends in destructors (copies, memory, parts, and with these the launches whose times come late) is told there:
// launched, copied, memory and passed throw nothing, though there be no memory left.
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "tenon/device_observer.h"
#include "tenon/kernel.h"

namespace tenon {

/// What a report says of a session before anything runs.
struct SessionFacts {
  std::string device, device_name, backend, dtype, storage, numerics, policy, assurance;
  std::string plugin, plugin_version, plugin_file;
  std::uint64_t seed = 0;
  std::uint32_t threads = 1;
};

/// How a report is written: for people, or a JSON object on each line.
enum class ReportForm : std::uint8_t { text, json };

/// Where the times of launches come from. Each but the first disturbs what the device could have done at once.
enum class TimeSource : std::uint8_t { host_clock, device_events, synchronised };
/// "the host's clock around each launch".
TENON_API std::string_view meaning(TimeSource source);

struct TimeSpan {
  std::uint64_t begin_ns = 0, end_ns = 0;
  std::uint64_t duration_ns() const { return end_ns - begin_ns; }
};

/// A prepared kernel that ran, in words that outlive it.
struct WatchedKernel {
  std::string op, capsule;
  std::vector<std::string> operands, results;                  // "x f32 (32, 64)"
  std::vector<std::string> dtypes;                             // of both, each once
  std::uint64_t tensor_bytes = 0;                              // of operands and results
  std::uint64_t bytes_read = 0, bytes_written = 0, flops = 0;  // the plugin's figures for one launch; 0: not known
};
TENON_API WatchedKernel watched_kernel(const Kernel& kernel);

/// What is known when a run is over.
struct RunFacts {
  std::span<const WatchedKernel> kernels;
  TimeSource times = TimeSource::host_clock;
  std::uint64_t peak_bytes = 0;  // of device memory
  bool complete = true;          // else it ended with an error
};

class TENON_API RunObserver {
 public:
  virtual ~RunObserver() = default;
  /// Whether intervals are measured for it; else they are empty.
  virtual bool needs_times() const { return true; }
  virtual void session(const SessionFacts&) {}
  /// Before the first launch of a kernel: `kernel` is its number from now on.
  virtual void first_launch(const Kernel&, std::uint32_t kernel) { (void)kernel; }
  /// After a launch; where the device itself says when, some launches later.
  virtual void launched(std::uint32_t kernel, TimeSpan when) { (void)kernel, (void)when; }
  virtual void copied(CopyKind, std::uint64_t bytes, TimeSpan when) { (void)bytes, (void)when; }
  /// After device memory was allocated or freed.
  virtual void memory(std::uint64_t bytes_in_use, std::uint64_t at_ns) { (void)bytes_in_use, (void)at_ns; }
  /// A part of a run begins; `depth` parts stand around it.
  virtual void entered(std::uint64_t at_ns, std::size_t depth) { (void)at_ns, (void)depth; }
  /// A part of a run is over: "step", and in it "forward", "gradient", "update". `name` is a literal.
  virtual void passed(std::string_view name, TimeSpan when, std::size_t depth) { (void)name, (void)when, (void)depth; }
};

}  // namespace tenon
