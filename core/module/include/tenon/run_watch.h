// run_watch.h: --show-backend, --profile and --trace of one run: the observers that were asked for, and their watch.
//
// A run that fails says what was seen until then, too, if anything was launched: the profile says that it is not
// complete, and so does the trace. Without a launch no file is written. Owned by the runtime; one thread at a time.
#pragma once
#include <memory>
#include <optional>

#include "tenon/launch_report.h"
#include "tenon/options.h"
#include "tenon/profile.h"
#include "tenon/timeline.h"
#include "tenon/watch.h"

namespace tenon {

class TENON_API RunWatch {
 public:
  /// Null if the options ask for none.
  static std::unique_ptr<RunWatch> start(const Options& options, std::shared_ptr<Device> device);
  ~RunWatch();
  RunWatch(const RunWatch&) = delete;
  RunWatch& operator=(const RunWatch&) = delete;

  Watch& watch() { return *watch_; }
  /// The run has succeeded. FILE_WRITE_FAILED if the trace cannot be written.
  result<void> finish();

 private:
  explicit RunWatch(const Options& options);
  std::vector<RunObserver*> observers();
  result<void> tell(bool complete);
  result<void> write_trace(const RunFacts& facts) const;

  std::optional<LaunchReport> report_;
  std::optional<Profile> profile_;
  std::optional<Timeline> timeline_;
  std::string trace_;
  std::optional<Watch> watch_;
  bool told_ = false;
};

}  // namespace tenon
