// system.h: what the fake Metal pretends to be, what is under way on it, and what it has to say of its caller.
//
// There is one in a process, as long as the process. Work is done by whoever waits for it (late), at random times
// (random) or when it is committed (at_once), inside the lock. A process with complaints says them at its end and exits
// with 86.
#pragma once
#include <deque>
#include <mutex>

#include "core/device.h"
#include "core/random.h"
#include "driver/failures.h"
#include "driver/settings.h"
#include "objc.h"

namespace gpusim::metal {

struct CommandBuffer;
struct Gpu;
struct Queue;

struct Settings : driver::Settings {
  bool unified = true;        // TENON_GPUSIM_UNIFIED: 0 or 1
  bool takes_library = true;  // TENON_GPUSIM_METALLIB: 0 stands for a system older than the build's
};

class System {
 public:
  static System& get();

  /// Every entry point holds one.
  class Lock {
   public:
    Lock() : lock_(get().mutex_) {}

   private:
    std::lock_guard<std::recursive_mutex> lock_;
  };

  const Settings& settings() const { return settings_; }
  driver::Failures& failures() { return failures_; }
  void complain(const std::string& words);
  std::vector<std::string> complaints();
  std::vector<std::string> leaks();

  /// Of the method that is running, which may be planned to fail: what it has to fail with, or 0.
  driver::Status planned_failure();
  /// Takes the lock; the method's name begins with a word that tells it apart.
  void enter(const char* selector);
  void leave() { mutex_.unlock(); }
  static unsigned long& calls_of_this_thread();

  const std::vector<Ref<Gpu>>& gpus();
  Memory& shared_memory() { return *shared_; }
  struct Found {
    const Library* library;
    const gpusim_kernel* kernel;
  };
  /// A null kernel: none has this name.
  Found find_kernel(std::string_view name);

  // -- work ----------------------------------------------------------------------------------------------------------
  void committed(Queue& queue);
  /// Does work until the condition holds. False: nothing is left that could go on.
  template <class Condition>
  bool work_until(Condition condition) {
    while (!condition()) {
      if (!step_any()) return false;
    }
    return true;
  }
  /// Somebody looks again and again: things go on, if slowly.
  void polled();
  /// Does what is left, at the process's end.
  void finish();
  double now() const { return static_cast<double>(clock_) * 1e-6; }
  std::uint64_t next_work() { return ++works_; }

 private:
  System();
  bool step_any();

  std::recursive_mutex mutex_;
  Settings settings_;
  driver::Failures failures_;
  Random random_{1};
  std::string now_;  // the method that runs, as Failures know it
  std::vector<std::string> complaints_;
  std::unique_ptr<Memory> shared_;
  std::vector<Ref<Gpu>> gpus_;
  std::vector<std::unique_ptr<Library>> libraries_;
  std::vector<Ref<Queue>> busy_;
  std::uint64_t clock_ = 0, works_ = 0;
  unsigned polls_ = 0;
};

}  // namespace gpusim::metal
