// driver.h: a fake driver, as far as CUDA's driver API and HIP's module API are the same; cuda/ and hip/ give it the
// vendors' names and types. Where an API leaves a choice, the fake takes the one that a careless caller suffers from.
// What it does not model ends the process with words.
//
// There is one Driver for each vendor in a process, for as long as the process; tests configure it and ask it for what
// it saw. Any thread may call; one at a time gets in. Queued work and its callbacks run on the thread that waits for
// them, inside the lock, so a callback must not wait for a thread that calls the driver.
#pragma once
#include <array>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "core/device.h"
#include "failures.h"
#include "handles.h"
#include "settings.h"
#include "status.h"
#include "work.h"

namespace gpusim::driver {

enum class Vendor : std::uint8_t { cuda, hip };

struct Function;

struct Module {
  int device;
  std::map<std::string, Function*> functions;
};

struct Function {
  int device;
  Module* module;
  const Library* library;
  const gpusim_kernel* kernel;
};

struct Grid {
  Extent blocks, threads;
  unsigned dynamic_shared_bytes;
};

/// Of one device, while its primary context is retained.
struct Context {
  int device;
  int retained = 0;
  Status error = success;  // once there is one, everything gives it
  std::unique_ptr<Device> simulated;
  bool keeps_freed = false;      // the pool's threshold
  std::size_t pooled_bytes = 0;  // freed, and kept by the pool
  std::size_t unseen_bytes = 0;  // of those: whose free nobody on the host has seen to be done
};

enum class Needs : std::uint8_t { nothing, initialised, context };

class Driver {
 public:
  static Driver& of(Vendor vendor);

  // -- for tests ---------------------------------------------------------------------------------------------------
  /// Forgets everything and begins anew. Nothing that the driver gave out may be used any more.
  void configure(const Settings& settings);
  const Settings& settings() const { return settings_; }
  Failures& failures() { return failures_; }
  /// What kernels did, what callers did, and what is not given back: one line each.
  std::vector<std::string> complaints();
  std::vector<std::string> leaks();
  std::uint64_t launches() const { return launches_; }

  // -- for the vendors' functions ------------------------------------------------------------------------------------
  /// Takes the lock, and calls the body unless something stands in the way.
  template <class Body>
  Status call(const char* function, Needs needs, Body body) {
    if (in_callback()) return complain(function, "was called in a callback", not_permitted);
    const std::lock_guard lock(mutex_);
    Status status = admit(function, needs);
    if (status == success) status = body();
    if (needs == Needs::context) let_time_pass();
    return status;
  }

  Status initialise(unsigned flags);
  int device_count() const { return settings_.devices; }
  bool is_device(int device) const { return device >= 0 && device < settings_.devices; }

  Status retain(void** context, int device);
  Status release(int device);
  Status make_current(void* context);
  Context* current();

  Status allocate(std::uint64_t* address, std::size_t bytes);
  Status free(std::uint64_t address);
  Status allocate_async(std::uint64_t* address, std::size_t bytes, void* stream);
  Status free_async(std::uint64_t address, void* stream);
  Status allocate_host(void** memory, std::size_t bytes);
  Status free_host(void* memory);
  Status pool_keep(std::uint64_t threshold);
  Status pool_trim(std::size_t keep);
  Status memory_info(std::size_t* free_bytes, std::size_t* all_bytes);

  Status copy(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* stream);
  Status copy_in(std::uint64_t to, const void* from, std::size_t bytes, void* stream);
  Status copy_out(void* to, std::uint64_t from, std::size_t bytes, void* stream);
  Status fill(std::uint64_t to, std::uint32_t pattern, std::size_t pattern_bytes, std::size_t count, void* stream);

  Status create_stream(void** stream);
  Status destroy_stream(void* stream);
  Status synchronize(void* stream);
  Status synchronize_context();
  Status query(void* stream);
  Status wait(void* stream, void* event);
  Status add_callback(void* stream, std::function<void(Status)> callback);
  Status create_event(void** event, bool timed);
  Status destroy_event(void* event);
  Status record(void* event, void* stream);
  Status query_event(void* event);
  Status synchronize_event(void* event);
  Status elapsed(float* milliseconds, void* from, void* to);

  Status load(void** module, const void* image);
  Status unload(void* module);
  Status find(void** function, void* module, const char* name);
  Status launch(void* function, const Grid& grid, void* stream, void** arguments);
  Function* function(void* handle) { return known(functions_, handle, "function"); }
  bool is_launchable(const Grid& grid) const;

  /// Ends the process: no test may build on what is not modelled.
  [[noreturn]] void unmodelled(const std::string& what) const;

 private:
  explicit Driver(Vendor vendor);
  static bool& in_callback();
  Status admit(const char* function, Needs needs);
  Status complain(const std::string& who, const std::string& what, Status status);

  template <class T>
  T* known(const Handles<T>& handles, const void* handle, const char* what) {
    T* thing = handles.find(handle);
    if (thing == nullptr) {
      complain(now_, std::string(handles.was_there(handle) ? "was given a destroyed " : "was given what is no ") + what,
               invalid_handle);
    }
    return thing;
  }
  Stream* stream(void* handle);
  Memory* holder(std::uint64_t address, std::size_t bytes);
  Status enqueue(Stream& stream, Work work);
  void observe(Stream& stream, std::size_t freed_bytes);
  void step(Stream& stream);
  bool step_any();
  void drain(Stream& stream);
  void run_until_done(const std::shared_ptr<Recording>& recording);
  void let_time_pass();
  void forget_finished_streams();
  Status take(std::uint64_t* address, std::size_t bytes, Memory::Life life, bool from_pool);
  std::string leaked(int device);
  void open_libraries();
  void gather_reports(Context& context);
  Status touch(const char* what, Memory*& memory, std::uint64_t address, std::size_t bytes);

  Vendor vendor_;
  std::recursive_mutex mutex_;
  Settings settings_;
  Failures failures_;
  Random random_{1};
  bool initialised_ = false;
  std::string now_;  // the function that is called
  std::vector<std::string> complaints_;
  std::vector<std::unique_ptr<Context>> contexts_;
  std::unique_ptr<Memory> pinned_;
  Handles<Stream> streams_;
  Handles<Event> events_;
  Handles<Module> modules_;
  Handles<Function> functions_;
  std::vector<std::unique_ptr<Library>> libraries_;
  std::uint64_t clock_ = 0, launches_ = 0, works_ = 0;  // works: that were asked for
};

}  // namespace gpusim::driver
