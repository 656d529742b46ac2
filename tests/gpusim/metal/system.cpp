#include "system.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <sstream>

#include "commands.h"
#include "gpu.h"

namespace gpusim::metal {
namespace {

bool is_on(const char* variable, bool otherwise) {
  const char* value = std::getenv(variable);
  return value == nullptr ? otherwise : std::string_view(value) != "0";
}

Settings read_settings() {
  Settings settings;
  static_cast<driver::Settings&>(settings) = driver::from_environment(settings);
  settings.unified = is_on("TENON_GPUSIM_UNIFIED", true);
  settings.takes_library = is_on("TENON_GPUSIM_METALLIB", true);
  return settings;
}

// A program learns at its end what it did wrong.
struct AtTheEnd {
  ~AtTheEnd() {
    System& system = System::get();
    const auto leaks = system.leaks();  // does what is left
    const auto complaints = system.complaints();
    for (const std::string& line : complaints) std::fprintf(stderr, "gpusim: %s\n", line.c_str());
    for (const std::string& function : system.failures().given())
      std::fprintf(stderr, "gpusim: %s failed as planned\n", function.c_str());
    for (const std::string& line : leaks) std::fprintf(stderr, "gpusim: leak: %s\n", line.c_str());
    std::fflush(stderr);
    if (!complaints.empty() || (system.settings().leaks_are_errors && !leaks.empty())) _exit(86);
  }
};

}  // namespace

System& System::get() {
  static System* system = new System;
  static const AtTheEnd at_the_end;
  return *system;
}

System::System() : settings_(read_settings()), random_(settings_.seed) {
  if (!failures_.parse(settings_.fail)) {
    std::fprintf(stderr, "gpusim: TENON_GPUSIM_FAIL=%s: expected function:n:status\n", settings_.fail.c_str());
    std::exit(2);
  }
  shared_ = std::make_unique<Memory>(std::size_t{1} << 40, Memory::Host::may_touch);
}

void System::complain(const std::string& words) {
  const std::lock_guard lock(mutex_);
  if (std::find(complaints_.begin(), complaints_.end(), words) == complaints_.end()) complaints_.push_back(words);
}

std::vector<std::string> System::complaints() {
  const std::lock_guard lock(mutex_);
  for (const Ref<Gpu>& gpu : gpus_) {
    for (const Report& report : gpu->simulated.reports().all()) complaints_.push_back(report.line());
    gpu->simulated.reports().clear();
  }
  return complaints_;
}

// Metal itself holds the devices, and whoever listed them may do so, as long as the process.
std::vector<std::string> System::leaks() {
  const std::lock_guard lock(mutex_);
  finish();
  std::vector<std::string> lines;
  const std::string held = living_objects("MTLDevice");
  if (!held.empty()) lines.push_back(held);
  for (const Ref<Gpu>& gpu : gpus_) {
    if (const long count = gpu->references - 2; count > 0)
      lines.push_back(std::to_string(count) + " more references to MTLDevice " + std::to_string(gpu->number));
  }
  return lines;
}

void System::enter(const char* selector) {
  mutex_.lock();
  ++calls_of_this_thread();
  const std::string_view all(selector);
  now_ = all.substr(0, all.find(':'));
  if (settings_.lateness != driver::Lateness::random) return;
  for (std::uint64_t steps = random_.below(4); steps != 0; --steps) step_any();
}

Entered::Entered(const char* selector) { System::get().enter(selector); }
Entered::~Entered() { System::get().leave(); }

unsigned long& System::calls_of_this_thread() {
  static thread_local unsigned long calls = 0;
  return calls;
}

driver::Status System::planned_failure() { return failures_.next(now_); }

const std::vector<Ref<Gpu>>& System::gpus() {
  while (gpus_.size() < static_cast<std::size_t>(settings_.devices)) {
    Gpu* gpu = new Gpu(static_cast<int>(gpus_.size()), settings_, shared_.get());
    gpus_.emplace_back(gpu);
    release(gpu);
  }
  return gpus_;
}

System::Found System::find_kernel(std::string_view name) {
  std::istringstream all(settings_.kernels);
  for (std::string path; libraries_.empty() && std::getline(all, path, ':');) {
    std::string why_not;
    libraries_.push_back(Library::open(path, why_not));
    if (libraries_.back() != nullptr) continue;
    std::fprintf(stderr, "gpusim: TENON_GPUSIM_KERNELS: %s\n", why_not.c_str());
    std::exit(2);
  }
  for (const auto& library : libraries_) {
    if (const gpusim_kernel* kernel = library->find(name)) return {library.get(), kernel};
  }
  return {};
}

// -- work -------------------------------------------------------------------------------------------------------------

void System::committed(Queue& queue) {
  const auto same = [&](const Ref<Queue>& one) { return one.get() == &queue; };
  if (std::none_of(busy_.begin(), busy_.end(), same)) busy_.emplace_back(&queue);
  if (settings_.lateness == driver::Lateness::at_once) work_until([] { return false; });
}

// In no queue's favour.
bool System::step_any() {
  const std::size_t first = busy_.empty() ? 0 : random_.below(busy_.size());
  for (std::size_t i = 0; i < busy_.size(); ++i) {
    const Ref<Queue> queue = busy_[(first + i) % busy_.size()];
    if (!queue->step()) continue;
    ++clock_;
    if (queue->pending.empty()) std::erase_if(busy_, [&](const Ref<Queue>& one) { return one.get() == queue.get(); });
    return true;
  }
  return false;
}

void System::polled() {
  if (++polls_ % 3 == 0) step_any();
}

void System::finish() {
  work_until([] { return false; });
  for (const Ref<Queue>& queue : busy_) queue->give_up();
  busy_.clear();
}

}  // namespace gpusim::metal

// -- for tests --------------------------------------------------------------------------------------------------------

extern "C" {

bool gpusim_is_planted(const char* bug) {
  static const char* const on = std::getenv("TENON_GPUSIM_PLANT");
  return on != nullptr && std::string_view(on) == bug;
}
unsigned long gpusim_metal_calls_of_this_thread() { return gpusim::metal::System::calls_of_this_thread(); }
void gpusim_metal_fail(const char* function, unsigned n, int status) {
  const gpusim::metal::System::Lock lock;
  gpusim::metal::System::get().failures().plan(function, n, status);
}
}
