#include "trap.h"

#include <unistd.h>

#include <algorithm>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <vector>

#include "block.h"
#include "memory.h"

namespace gpusim {
namespace {

std::vector<Memory*>& watched() {
  static auto* memories = new std::vector<Memory*>;  // the handler may run when statics are gone
  return *memories;
}

struct sigaction previous_segv, previous_bus;

[[noreturn]] void say_and_end(const std::string& line) {
  std::fprintf(stderr, "gpusim: %s\n", line.c_str());
  std::fflush(stderr);
  _exit(86);
}

// Not async-signal-safe, and need not be: the signal comes from the very access, and the process ends.
void handle(int signal, siginfo_t* info, void* context) {
  char address[32];
  std::snprintf(address, sizeof address, "%p", info->si_addr);
  if (Block* block = Block::running(); block != nullptr && block->in_thread()) {
    say_and_end(block->describe_current() + " touched " + address +
                ", which is in no live allocation; the instrumented form tells where");
  }
  for (Memory* memory : watched()) {
    if (const auto* allocation = memory->find(info->si_addr)) {
      say_and_end(std::string("the host touched ") + address + ", which is memory of a device" +
                  (allocation->life != Memory::Life::freed ? "" : " that was freed") + ": copy it with the driver");
    }
  }
  const struct sigaction& previous = signal == SIGSEGV ? previous_segv : previous_bus;
  if ((previous.sa_flags & SA_SIGINFO) != 0 && previous.sa_sigaction != nullptr) {
    previous.sa_sigaction(signal, info, context);
  } else {
    std::signal(signal, SIG_DFL);  // the access is tried again, and ends the process
  }
}

// A kernel's fault may be its stack's end, so the handler has one of its own.
void install() {
  static char stack[std::size_t{64} << 10];
  stack_t alternative{};
  alternative.ss_sp = stack;
  alternative.ss_size = sizeof stack;
  sigaltstack(&alternative, nullptr);
  struct sigaction action {};
  action.sa_sigaction = handle;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, &previous_segv);
  sigaction(SIGBUS, &action, &previous_bus);
}

}  // namespace

void watch(Memory& memory) {
  static const bool installed = (install(), true);
  (void)installed;
  watched().push_back(&memory);
}

void unwatch(Memory& memory) { std::erase(watched(), &memory); }

}  // namespace gpusim
