#include "driver.h"

#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>

namespace gpusim::driver {
namespace {

Settings defaults(Vendor vendor) {
  Settings settings;
  const bool cuda = vendor == Vendor::cuda;
  settings.warp_width = cuda ? 32 : 64;
  settings.architecture = cuda ? "sm_90" : "gfx90a";
  settings.version = cuda ? 13000 : 50221153;
  return settings;
}

// What a thread has made current, for each vendor; -1: nothing.
thread_local std::array<int, 2> current_device{-1, -1};

// A program that nobody configured learns at its end what it did wrong.
struct AtTheEnd {
  ~AtTheEnd() {
    bool bad = false;
    for (const Vendor vendor : {Vendor::cuda, Vendor::hip}) {
      Driver& driver = Driver::of(vendor);
      for (const std::string& line : driver.complaints()) {
        bad = true;
        std::fprintf(stderr, "gpusim: %s\n", line.c_str());
      }
      for (const std::string& function : driver.failures().given()) {
        std::fprintf(stderr, "gpusim: %s failed as planned\n", function.c_str());
      }
      for (const std::string& line : driver.leaks()) {
        bad = bad || driver.settings().leaks_are_errors;
        std::fprintf(stderr, "gpusim: leak: %s\n", line.c_str());
      }
    }
    std::fflush(stderr);
    if (bad) _exit(86);
  }
};

}  // namespace

Driver& Driver::of(Vendor vendor) {
  static auto* drivers = new std::array<Driver*, 2>{new Driver(Vendor::cuda), new Driver(Vendor::hip)};
  static const AtTheEnd at_the_end;
  return *(*drivers)[std::size_t(vendor)];
}

Driver::Driver(Vendor vendor) : vendor_(vendor) { configure(from_environment(defaults(vendor))); }

void Driver::configure(const Settings& given) {
  const Settings usual = defaults(vendor_);
  settings_ = given;
  if (settings_.architecture.empty()) settings_.architecture = usual.architecture;
  if (settings_.version == 0) settings_.version = usual.version;
  failures_ = {};
  if (!failures_.parse(settings_.fail)) {
    std::fprintf(stderr, "gpusim: TENON_GPUSIM_FAIL=%s: expected function:n:status\n", settings_.fail.c_str());
    std::exit(2);
  }
  random_ = Random(settings_.seed);
  initialised_ = false;
  streams_ = {};
  events_ = {};
  modules_ = {};
  functions_ = {};
  contexts_.clear();
  complaints_.clear();
  pinned_ = std::make_unique<Memory>(std::size_t{1} << 40, Memory::Host::may_touch);
  libraries_.clear();
  launches_ = works_ = 0;
  for (int device = 0; device < settings_.devices; ++device) {
    contexts_.push_back(std::make_unique<Context>());
    contexts_.back()->device = device;
  }
}

bool& Driver::in_callback() {
  static thread_local bool in = false;
  return in;
}

Status Driver::complain(const std::string& who, const std::string& what, Status status) {
  const std::string line = who + " " + what;
  if (std::find(complaints_.begin(), complaints_.end(), line) == complaints_.end()) complaints_.push_back(line);
  return status;
}

void Driver::unmodelled(const std::string& what) const {
  std::fprintf(stderr, "gpusim: %s: the fake driver does not model %s\n", now_.c_str(), what.c_str());
  std::fflush(stderr);
  std::abort();
}

Status Driver::admit(const char* function, Needs needs) {
  now_ = function;
  if (needs != Needs::nothing && !initialised_) return not_initialised;
  Context* context = needs == Needs::context ? current() : nullptr;
  if (needs == Needs::context && context == nullptr) return invalid_context;
  if (context != nullptr && context->error != success) return context->error;
  const Status planned = failures_.next(function);
  if (context != nullptr && stays(planned)) context->error = planned;
  return planned;
}

// CUDA Driver API, cuInit: "Currently, the Flags parameter must be 0."
Status Driver::initialise(unsigned flags) {
  if (flags != 0) return invalid_value;
  if (settings_.devices == 0) return no_device;
  initialised_ = true;
  return success;
}

// -- contexts -------------------------------------------------------------------------------------------------------

Context* Driver::current() {
  const int device = current_device[std::size_t(vendor_)];
  if (!is_device(device) || contexts_[std::size_t(device)]->retained == 0) return nullptr;
  return contexts_[std::size_t(device)].get();
}

Status Driver::retain(void** handle, int device) {
  if (handle == nullptr) return invalid_value;
  if (!is_device(device)) return invalid_device;
  Context& context = *contexts_[std::size_t(device)];
  if (context.retained++ == 0) {
    context.error = success;
    context.simulated = std::make_unique<Device>(DeviceSettings{.warp_width = settings_.warp_width,
                                                                .memory_bytes = settings_.memory_bytes,
                                                                .schedule = settings_.schedule,
                                                                .seed = settings_.seed,
                                                                .pinned = pinned_.get()});
  }
  *handle = &context;
  return success;
}

void Driver::gather_reports(Context& context) {
  if (context.simulated == nullptr) return;
  for (const Report& report : context.simulated->reports().all()) complaints_.push_back(report.line());
  context.simulated->reports().clear();
}

// "If the usage count is 0 the primary context is destroyed" (cuDevicePrimaryCtxRelease), with all that is in it.
Status Driver::release(int device) {
  if (!is_device(device)) return invalid_device;
  Context& context = *contexts_[std::size_t(device)];
  if (context.retained == 0) return complain(now_, "released a context that nobody retains", invalid_context);
  if (context.retained > 1) {
    --context.retained;
    return success;
  }
  streams_.each([&](Stream& s) {
    if (s.device == device) drain(s);
  });
  forget_finished_streams();
  // A context that is lost takes nothing back.
  const std::string what = context.error == success ? leaked(device) : std::string();
  if (!what.empty()) complain(now_, "destroyed a context that still had" + what, success);
  gather_reports(context);
  const auto of_device = [device](const auto& thing) { return thing.device == device; };
  streams_.remove_if(of_device);
  events_.remove_if(of_device);
  functions_.remove_if(of_device);
  modules_.remove_if(of_device);
  context.retained = 0;
  context.simulated.reset();
  context.pooled_bytes = context.unseen_bytes = 0;
  return success;
}

Status Driver::make_current(void* handle) {
  int device = -1;
  for (const auto& context : contexts_) {
    if (context.get() == handle && context->retained > 0) device = context->device;
  }
  if (handle != nullptr && device < 0) return complain(now_, "was given what is no live context", invalid_context);
  current_device[std::size_t(vendor_)] = device;
  return success;
}

// -- the end --------------------------------------------------------------------------------------------------------

std::string Driver::leaked(int device) {
  std::string what;
  const auto add = [&](std::size_t count, const char* name) {
    if (count > 0) what += " " + std::to_string(count) + " " + name;
  };
  const auto of_device = [device](const auto& handles, auto counts) {
    std::size_t count = 0;
    handles.each([&](const auto& thing) { count += thing.device == device && counts(thing) ? 1 : 0; });
    return count;
  };
  const auto any = [](const auto&) { return true; };
  const auto& simulated = contexts_[std::size_t(device)]->simulated;
  add(simulated == nullptr ? 0 : simulated->memory().live(), "allocations");
  add(of_device(streams_, [](const Stream& s) { return !s.destroyed; }), "streams");
  add(of_device(events_, any), "events");
  add(of_device(modules_, any), "modules");
  return what;
}

std::vector<std::string> Driver::complaints() {
  const std::lock_guard lock(mutex_);
  for (const auto& context : contexts_) gather_reports(*context);
  return complaints_;
}

std::vector<std::string> Driver::leaks() {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> lines;
  for (const auto& context : contexts_) {
    const std::string what = leaked(context->device);
    if (!what.empty()) lines.push_back("device " + std::to_string(context->device) + ":" + what);
  }
  const bool is_lost = std::ranges::any_of(contexts_, [](const auto& context) { return context->error != success; });
  if (const std::size_t count = pinned_->live(); count > 0 && !is_lost) {
    lines.push_back(std::to_string(count) + " allocations of pinned memory");
  }
  return lines;
}

}  // namespace gpusim::driver
