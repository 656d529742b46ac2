// block.h: the threads of one block, from its begin to its end.
//
// One Block serves a whole launch, block after block, and its threads are fibers that give way at barriers, at
// operations of a warp and, in a random schedule, at atomics. The instrumented code of a kernel carries no context,
// so the block that runs is reached through Block::running(), which is the simulator's only global state besides the
// variables that CUDA itself makes global.
#pragma once
#include <cstdint>
#include <string>
#include <vector>

#include "fiber.h"
#include "library.h"
#include "memory.h"
#include "random.h"
#include "report.h"
#include "shadow.h"

namespace gpusim {

enum class Schedule : std::uint8_t { ascending, descending, random };

/// What the lanes of a warp do together.
enum class Collective : std::uint8_t { shuffle, shuffle_up, shuffle_down, shuffle_xor, ballot, sync };

struct LaunchPlan {
  const Library* library;
  const gpusim_kernel* kernel;
  Extent grid, block;
  void** arguments;
  std::size_t dynamic_shared_bytes;
  unsigned warp_width;
  Schedule schedule;
  Memory* pinned;  // memory of the host that devices may touch, or null
  std::uint64_t number;
};

class Block {
 public:
  Block(const LaunchPlan& plan, Memory& memory, Reports& reports, Random& random, std::uint32_t& interval);
  ~Block();
  Block(const Block&) = delete;
  Block& operator=(const Block&) = delete;

  static Block* running();

  /// False: a thread did what would have been the end of the launch on a device.
  bool run(Extent index);

  // -- what threads call -----------------------------------------------------------------------------------------
  /// `frame` is that of the function that the kernel called: by it, calls from several places are told apart.
  void barrier(const char* file, int line, void** frame);
  std::uint64_t collective(Collective operation, std::uint64_t mask, bool masked, std::uint64_t value, int argument,
                           int width, void** frame);
  /// `aligned`: the address must be a multiple of `bytes`.
  void access(const void* address, std::size_t bytes, Access access, bool aligned, const void* code);
  /// Another thread may come before the atomic access that is about to be made.
  void before_atomic();
  /// Plain kernels call this too, and are not checked.
  void access_atomic(const void* address, std::size_t bytes, const void* code) {
    if (plan_.library->instrumented()) access(address, bytes, Access::atomic, true, code);
  }
  void* dynamic_shared() { return dynamic_; }
  [[noreturn]] void give_up(Fault fault, std::string text, const void* code);
  unsigned lane() const { return threads_[current_].lane; }

  bool in_thread() const { return in_thread_; }
  std::string describe_current() const;

 private:
  enum class State : std::uint8_t { ready, at_barrier, in_collective, done };
  struct Request {
    Collective operation;
    bool masked;
    std::uint64_t mask, value;
    int argument, width;
    std::uintptr_t path;
    bool same_call(const Request& other) const {
      return operation == other.operation && masked == other.masked && mask == other.mask && path == other.path;
    }
  };
  struct Thread {
    State state = State::ready;
    Extent index;
    std::uint16_t lane = 0, warp = 0;
    const char* file = nullptr;  // of the barrier it waits at
    int line = 0;
    std::uintptr_t path = 0;
    Request request{};
    std::uint64_t result = 0;
  };

  static void body();
  /// One pool for the process, since stacks are dear and only one launch runs at a time.
  static Fibers& fibers();
  void begin(Extent index);
  void poison_shared();
  void enter(std::size_t thread);
  void yield();
  bool release_barrier();
  bool finish_collectives();
  bool finish_collective(std::size_t first, std::size_t last, std::size_t asking);
  std::uint64_t value_for(const Thread& thread, const std::vector<std::size_t>& taking_part, std::size_t first);
  void stuck();
  void report(Fault fault, std::string text, const void* code, std::size_t thread);
  Moment now() const;
  std::uintptr_t path_of_calls(void** frame) const;

  bool check_shared(const void* address, std::size_t bytes, Access access, const void* code);
  bool check_global(const void* address, std::size_t bytes, Access access, const void* code);
  void check_other(const void* address, std::size_t bytes, Access access, const void* code);
  bool is_argument(const void* address, std::size_t bytes) const;
  const SharedVariable* shared_variable(std::size_t offset) const;

  const LaunchPlan& plan_;
  const SharedVariables& shared_variables_;
  SharedVariables used_;  // those that the first block of the launch left changed
  Memory& memory_;
  Reports& reports_;
  Random& random_;
  std::uint32_t& interval_;
  std::uint32_t launch_begin_, block_begin_ = 0;
  Extent index_;
  std::vector<Thread> threads_;
  std::vector<std::size_t> order_;
  std::vector<std::uint32_t> warp_interval_;
  std::size_t current_ = 0, done_ = 0;
  unsigned atomics_ = 0;
  bool in_thread_ = false, given_up_ = false, progress_ = false, knows_used_ = false;
  char* shared_base_;
  std::vector<char> dynamic_storage_;
  char* dynamic_;
  Shadow shared_shadow_, dynamic_shadow_;
};

}  // namespace gpusim
