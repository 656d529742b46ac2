#include "tenon/run_watch.h"

#include "tenon/atomic_file.h"
#include "tenon/contain.h"
#include "tenon/log.h"

namespace tenon {

RunWatch::RunWatch(const Options& options) : trace_(options.trace) {
  if (options.show_backend) report_.emplace(*options.show_backend, stderr);
  if (options.profile) profile_.emplace(*options.profile, stderr);
  if (!options.trace.empty()) timeline_.emplace();
}

std::unique_ptr<RunWatch> RunWatch::start(const Options& options, std::shared_ptr<Device> device) {
  std::unique_ptr<RunWatch> made(new RunWatch(options));
  std::vector<RunObserver*> observers = made->observers();
  if (observers.empty()) return nullptr;
  made->watch_.emplace(std::move(device), std::move(observers));
  return made;
}

std::vector<RunObserver*> RunWatch::observers() {
  std::vector<RunObserver*> out;
  if (report_) out.push_back(&*report_);
  if (profile_) out.push_back(&*profile_);
  if (timeline_) out.push_back(&*timeline_);
  return out;
}

RunWatch::~RunWatch() {
  if (told_ || !watch_ || !watch_->has_launched()) return;
  const auto told = contained("trace", [&] { return tell(false); });
  if (!told) logging::write(logging::Level::error, "trace", told.error().text);
}

result<void> RunWatch::finish() {
  return contained("trace", [&] { return tell(true); });
}

result<void> RunWatch::tell(bool complete) {
  told_ = true;
  const RunFacts facts = watch_->facts(complete);
  if (report_ && complete) report_->summary();
  if (profile_) profile_->print(facts);
  return timeline_ ? write_trace(facts) : result<void>();
}

result<void> RunWatch::write_trace(const RunFacts& facts) const {
  TENON_TRY(AtomicFile file, AtomicFile::create(trace_));
  TENON_CHECK(timeline_->write(facts, [&](std::string_view part) { return file.write(part); }));
  TENON_CHECK(file.commit());
  if (timeline_->dropped() > 0)
    logging::write(logging::Level::warn, "trace",
                   trace_ + ": the first " + std::to_string(timeline_->size()) + " events are kept, " +
                       std::to_string(timeline_->dropped()) + " later ones are left out: trace a shorter run");
  return {};
}

}  // namespace tenon
