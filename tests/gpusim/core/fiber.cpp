#include "fiber.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>

namespace gpusim {
namespace {

constexpr std::size_t guard_bytes = 4096;
constexpr std::size_t stride_bytes = Fibers::stack_bytes + guard_bytes;

#if defined(GPUSIM_UCONTEXT)
void switch_context(Context& from, Context& to) { swapcontext(&from, &to); }
#else
extern "C" void gpusim_switch(void** from, void* to);
// What the System V ABI lets a callee keep, plus the stack pointer.
asm(R"(
.text
.globl gpusim_switch
.hidden gpusim_switch
.type gpusim_switch,@function
gpusim_switch:
  pushq %rbp
  pushq %rbx
  pushq %r12
  pushq %r13
  pushq %r14
  pushq %r15
  movq %rsp, (%rdi)
  movq %rsi, %rsp
  popq %r15
  popq %r14
  popq %r13
  popq %r12
  popq %rbx
  popq %rbp
  ret
.size gpusim_switch, .-gpusim_switch
)");
void switch_context(Context& from, Context& to) { gpusim_switch(&from, to); }
#endif

}  // namespace

Fibers::~Fibers() {
  if (arena_ != nullptr) munmap(arena_, max_fibers * stride_bytes);
}

void Fibers::grow(std::size_t count) {
  if (count > max_fibers) std::abort();
  if (arena_ == nullptr) {
    void* arena =
        mmap(nullptr, max_fibers * stride_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (arena == MAP_FAILED) throw std::bad_alloc();
    arena_ = static_cast<char*>(arena);
  }
  while (fibers_.size() < count) {
    Fiber fiber;
    fiber.stack = arena_ + fibers_.size() * stride_bytes + guard_bytes;
    if (mprotect(fiber.stack, stack_bytes, PROT_READ | PROT_WRITE) != 0) throw std::bad_alloc();
    prepare(fiber);
    fibers_.push_back(fiber);
  }
}

void Fibers::prepare(Fiber& fiber) const {
#if defined(GPUSIM_UCONTEXT)
  getcontext(&fiber.context);
  fiber.context.uc_stack.ss_sp = fiber.stack;
  fiber.context.uc_stack.ss_size = stack_bytes;
  fiber.context.uc_link = nullptr;
  makecontext(&fiber.context, body_, 0);
#else
  // As if the body had been called: a return address that is never used, and below it what the switch pops.
  void** top = reinterpret_cast<void**>(fiber.stack + stack_bytes) - 2;
  top[1] = nullptr;
  top[0] = reinterpret_cast<void*>(body_);
  for (int saved = 1; saved <= 6; ++saved) top[-saved] = nullptr;
  fiber.context = top - 6;
#endif
}

void Fibers::reset() {
  for (Fiber& fiber : fibers_) prepare(fiber);
}

void Fibers::enter(std::size_t fiber) { switch_context(scheduler_, fibers_[fiber].context); }

void Fibers::leave(std::size_t fiber) { switch_context(fibers_[fiber].context, scheduler_); }

bool Fibers::owns(std::size_t fiber, const void* address) const {
  const char* stack = fibers_[fiber].stack;
  return address >= stack && address < stack + stack_bytes;
}

bool Fibers::owns(const void* address) const {
  return address >= arena_ && address < arena_ + fibers_.size() * stride_bytes;
}

}  // namespace gpusim
