#include "block.h"

#include <algorithm>
#include <cstring>

#include "gpusim/variables.h"

namespace gpusim {
namespace {

Block* the_running = nullptr;

// A thread that waits for what another block will do, or for a thread that comes later, spins for ever.
constexpr int rounds_without_progress = 2000;
constexpr unsigned atomics_in_a_row = 256;
constexpr std::size_t dynamic_alignment = 128;

uint3 vector_of(const Extent& extent) { return {extent.x, extent.y, extent.z}; }

}  // namespace

Block* Block::running() { return the_running; }

Fibers& Block::fibers() {
  static Fibers pool(&Block::body);
  return pool;
}

void Block::body() {
  for (;;) {
    Block& block = *the_running;
    block.plan_.kernel->call(block.plan_.arguments);
    Block& still = *the_running;
    still.threads_[still.current_].state = State::done;
    fibers().leave(still.current_);
  }
}

Block::Block(const LaunchPlan& plan, Memory& memory, Reports& reports, Random& random, std::uint32_t& interval)
    : plan_(plan),
      shared_variables_(plan.library->shared_variables(*plan.kernel)),
      memory_(memory),
      reports_(reports),
      random_(random),
      interval_(interval),
      launch_begin_(interval + 1),
      threads_(plan.block.count()),
      order_(threads_.size()),
      warp_interval_((threads_.size() + plan.warp_width - 1) / plan.warp_width),
      shared_base_(plan.library->shared_base()),
      dynamic_storage_(plan.dynamic_shared_bytes + dynamic_alignment),
      shared_shadow_(plan.library->shared_bytes()),
      dynamic_shadow_(plan.dynamic_shared_bytes) {
  fibers().grow(threads_.size());
  const auto begin = reinterpret_cast<std::uintptr_t>(dynamic_storage_.data());
  dynamic_ = dynamic_storage_.data() + (dynamic_alignment - begin % dynamic_alignment) % dynamic_alignment;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    order_[i] = plan.schedule == Schedule::descending ? threads_.size() - 1 - i : i;
    threads_[i].index = plan.block.nth(i);
    threads_[i].lane = std::uint16_t(i % plan.warp_width);
    threads_[i].warp = std::uint16_t(i / plan.warp_width);
  }
  blockDim = {plan.block.x, plan.block.y, plan.block.z};
  gridDim = {plan.grid.x, plan.grid.y, plan.grid.z};
  warpSize = int(plan.warp_width);
  the_running = this;
}

Block::~Block() { the_running = nullptr; }

void Block::begin(Extent index) {
  index_ = index;
  blockIdx = vector_of(index);
  block_begin_ = ++interval_;
  done_ = 0;
  given_up_ = false;
  for (Thread& thread : threads_) thread.state = State::ready;
  std::fill(warp_interval_.begin(), warp_interval_.end(), std::uint32_t{0});
  poison_shared();
}

// With NaNs, so that a plain kernel shows what it read too early. A library has far more shared variables than one
// kernel uses, and blocks are many: after the first, only what that one changed is done again.
void Block::poison_shared() {
  const auto poison = [this](const SharedVariable& v) { std::memset(shared_base_ + v.offset, 0xff, v.bytes); };
  const auto changed = [this](const SharedVariable& v) {
    const char* begin = shared_base_ + v.offset;
    return std::any_of(begin, begin + v.bytes, [](char byte) { return byte != char(0xff); });
  };
  std::memset(dynamic_, 0xff, plan_.dynamic_shared_bytes);
  if (block_begin_ == launch_begin_) {
    std::for_each(shared_variables_.begin(), shared_variables_.end(), poison);
    return;
  }
  if (!knows_used_) {
    knows_used_ = true;
    std::copy_if(shared_variables_.begin(), shared_variables_.end(), std::back_inserter(used_), changed);
  }
  std::for_each(used_.begin(), used_.end(), poison);
}

bool Block::run(Extent index) {
  begin(index);
  for (int idle = 0; done_ < threads_.size() && !given_up_; idle = progress_ ? 0 : idle + 1) {
    progress_ = false;
    bool some_ready = false;
    if (plan_.schedule == Schedule::random) random_.shuffle(order_);
    for (const std::size_t i : order_) {
      if (threads_[i].state == State::ready) enter(i);
      if (given_up_) break;
      some_ready = some_ready || threads_[i].state == State::ready;
    }
    if (given_up_ || finish_collectives()) continue;
    if (some_ready && idle < rounds_without_progress) continue;
    if (done_ < threads_.size() && !release_barrier()) stuck();
  }
  if (given_up_) fibers().reset();
  return !given_up_;
}

void Block::enter(std::size_t thread) {
  current_ = thread;
  threadIdx = vector_of(threads_[thread].index);
  in_thread_ = true;
  fibers().enter(thread);
  in_thread_ = false;
  if (threads_[thread].state != State::done) return;
  ++done_;
  progress_ = true;
}

void Block::yield() { fibers().leave(current_); }

void Block::before_atomic() {
  if (plan_.schedule == Schedule::random ? random_.below(4) == 0 : ++atomics_ % atomics_in_a_row == 0) yield();
}

void Block::give_up(Fault fault, std::string text, const void* code) {
  report(fault, std::move(text), code, current_);
  given_up_ = true;
  for (;;) yield();
}

void Block::report(Fault fault, std::string text, const void* code, std::size_t thread) {
  reports_.add({fault, plan_.kernel->name, std::move(text), index_, threads_[thread].index, code});
}

std::string Block::describe_current() const {
  const Extent& t = threads_[current_].index;
  const auto words = [](const Extent& e) {
    return "(" + std::to_string(e.x) + "," + std::to_string(e.y) + "," + std::to_string(e.z) + ")";
  };
  return std::string("kernel ") + plan_.kernel->name + ", block " + words(index_) + ", thread " + words(t);
}

Moment Block::now() const {
  const Thread& thread = threads_[current_];
  return {launch_begin_, block_begin_, interval_, std::uint16_t(current_), thread.warp, warp_interval_[thread.warp]};
}

// -- barriers -------------------------------------------------------------------------------------------------------

void Block::barrier(const char* file, int line, void** frame) {
  Thread& thread = threads_[current_];
  thread.file = file;
  thread.line = line;
  thread.path = path_of_calls(frame);
  thread.state = State::at_barrier;
  progress_ = true;
  yield();
}

// Of all return addresses from here to the kernel's entry, which are the same for two threads that came here the same
// way. Checked kernels are compiled so that each call stands at one place and every frame tells its caller's
// (cmake/GpusimKernels.cmake); of plain ones nothing is known.
std::uintptr_t Block::path_of_calls(void** frame) const {
  if (!plan_.library->instrumented()) return 0;
  std::uintptr_t path = 0;
  while (fibers().owns(current_, frame)) {
    path = path * 31 + reinterpret_cast<std::uintptr_t>(frame[1]);
    auto** callers = static_cast<void**>(frame[0]);
    if (callers <= frame) break;
    frame = callers;
  }
  return path;
}

// "__syncthreads() is allowed in conditional code but only if the conditional evaluates identically across the entire
// thread block" (CUDA C++ Programming Guide, "Synchronization Functions"): nobody may have left, and all stand at one.
bool Block::release_barrier() {
  std::size_t waiting = 0, first = 0;
  bool several = false;
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const Thread& thread = threads_[i];
    if (thread.state != State::at_barrier) continue;
    if (waiting++ == 0) first = i;
    several = several || thread.line != threads_[first].line || thread.path != threads_[first].path ||
              std::strcmp(thread.file, threads_[first].file) != 0;
  }
  if (waiting == 0 || waiting + done_ < threads_.size()) return false;
  const std::string place = "line " + std::to_string(threads_[first].line);
  if (several) report(Fault::divergent_barrier, "threads wait at different barriers", nullptr, first);
  if (done_ > 0) {
    report(
        Fault::divergent_barrier,
        std::to_string(waiting) + " threads wait at " + place + ", " + std::to_string(done_) + " have left the kernel",
        nullptr, first);
  }
  for (Thread& thread : threads_) {
    if (thread.state == State::at_barrier) thread.state = State::ready;
  }
  ++interval_;
  std::fill(warp_interval_.begin(), warp_interval_.end(), std::uint32_t{0});
  return true;
}

void Block::stuck() {
  std::size_t ready = 0, at_barrier = 0, in_collective = 0, first = threads_.size();
  for (std::size_t i = 0; i < threads_.size(); ++i) {
    const State state = threads_[i].state;
    if (state == State::ready) ++ready;
    if (state == State::at_barrier) ++at_barrier;
    if (state == State::in_collective) ++in_collective;
    if (state != State::done && first == threads_.size()) first = i;
  }
  report(Fault::stuck,
         std::to_string(at_barrier) + " threads wait at a barrier, " + std::to_string(in_collective) +
             " in an operation of a warp, " + std::to_string(ready) + " turn in circles, " + std::to_string(done_) +
             " have left the kernel",
         nullptr, first);
  given_up_ = true;
}

}  // namespace gpusim
