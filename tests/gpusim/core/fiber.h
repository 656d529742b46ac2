// fiber.h: the threads of a simulated block, as fibers of one thread of the host.
//
// A Fiber owns its stack, below which lies a page that nothing may touch. All of a pool's fibers run the same body and
// are used again for the next block; one that was left in the middle of a kernel is made anew by `reset`.
// One host thread at a time uses a pool; it need not always be the same one.
//
// The switch is written by hand for x86-64 (some 3 ns); elsewhere it is swapcontext, which asks the kernel for the
// signal mask each time. The core is compiled without sanitizers (see CMakeLists.txt), so that none of them has to be
// told of the switch.
#pragma once
#include <cstddef>
#include <memory>
#include <vector>

#if !defined(__x86_64__)
#define GPUSIM_UCONTEXT 1
#include <ucontext.h>
#endif

namespace gpusim {

#if defined(GPUSIM_UCONTEXT)
using Context = ucontext_t;
#else
using Context = void*;  // the stack pointer; everything else lies on the stack
#endif

class Fibers {
 public:
  using Body = void (*)();
  static constexpr std::size_t stack_bytes = std::size_t{64} << 10;

  explicit Fibers(Body body) : body_(body) {}
  ~Fibers();
  Fibers(const Fibers&) = delete;
  Fibers& operator=(const Fibers&) = delete;

  /// At least so many fibers.
  void grow(std::size_t count);
  /// Forgets where the fibers stopped: each begins with the body.
  void reset();

  /// From the scheduler into a fiber, until that fiber comes back.
  void enter(std::size_t fiber);
  /// From a fiber to the scheduler.
  void leave(std::size_t fiber);

  bool owns(std::size_t fiber, const void* address) const;
  /// Whether the address lies in the stack of any fiber.
  bool owns(const void* address) const;

 private:
  struct Fiber {
    Context context{};
    char* stack = nullptr;
  };
  void prepare(Fiber& fiber) const;

  static constexpr std::size_t max_fibers = 1024;
  Body body_;
  char* arena_ = nullptr;
  std::vector<Fiber> fibers_;
  Context scheduler_{};
};

}  // namespace gpusim
