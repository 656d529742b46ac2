#include "tenon/worker_pool.h"

#include <pthread.h>
#include <sched.h>

#include <algorithm>
#include <atomic>
#include <condition_variable>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#include "tenon/fp_environment.h"

namespace tenon {
namespace {

std::uint32_t usable_cores() {
  cpu_set_t cores;
  if (sched_getaffinity(0, sizeof cores, &cores) == 0)
    return static_cast<std::uint32_t>(std::max(1, CPU_COUNT(&cores)));
  return std::max(1u, std::thread::hardware_concurrency());
}

/// True on a thread that is inside a loop: a loop within it is then serial.
thread_local bool inside_loop = false;

class InsideLoop {
 public:
  InsideLoop() = default;
  ~InsideLoop() { inside_loop = before_; }
  InsideLoop(const InsideLoop&) = delete;

 private:
  const bool before_ = std::exchange(inside_loop, true);
};

/// One call of parallel_for: ranges of equal length, handed out in order.
struct Loop {
  tenon_parallel_fn* fn;
  void* context;
  std::uint64_t n, ranges;
  std::atomic<std::uint64_t> next{0};
  std::atomic<bool> has_thrown{false};
  std::exception_ptr thrown{};  // by the first of the ranges that threw; read when all are done

  std::uint64_t bound(std::uint64_t range) const { return n / ranges * range + std::min(range, n % ranges); }

  void take_part(std::uint32_t worker) {
    const InsideLoop mark;
    try {
      for (std::uint64_t range; (range = next.fetch_add(1, std::memory_order_relaxed)) < ranges;)
        fn(context, bound(range), bound(range + 1), worker);
    } catch (...) {
      if (!has_thrown.exchange(true)) thrown = std::current_exception();
      next.store(ranges, std::memory_order_relaxed);  // nobody begins another range
    }
  }
};

class Pool {
 public:
  ~Pool() { stop(); }

  /// False if another thread's loop has the workers: the caller then runs its loop alone.
  bool run(Loop& loop, std::uint32_t workers) {
    const std::unique_lock busy(loop_mutex, std::try_to_lock);
    if (!busy) return false;
    grow(workers - 1);
    start(loop, std::min<std::uint64_t>(workers - 1, threads_.size()));
    loop.take_part(0);
    std::unique_lock lock(mutex_);
    finished_.wait(lock, [&] { return active_ == 0; });
    loop_ = nullptr;
    return true;
  }

  void stop() {
    const std::lock_guard idle(loop_mutex);
    {
      const std::lock_guard lock(mutex_);
      stopping_ = true;
    }
    wake_.notify_all();
    for (std::thread& thread : threads_) thread.join();
    threads_.clear();
    stopping_ = false;
  }

  std::mutex loop_mutex;  // held while a loop runs

 private:
  void grow(std::size_t wanted) {
    try {
      while (threads_.size() < wanted) threads_.emplace_back([this, i = threads_.size()] { work(i); });
    } catch (const std::system_error&) {  // no more threads to be had: fewer do the same work
    }
  }

  void start(Loop& loop, std::uint64_t helpers) {
    {
      const std::lock_guard lock(mutex_);
      loop_ = &loop;
      helpers_ = active_ = helpers;
      ++generation_;
    }
    if (helpers > 0) wake_.notify_all();
  }

  void work(std::size_t index) {
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return stopping_ || (generation_ != seen && index < helpers_ && loop_ != nullptr); });
      if (stopping_) return;
      seen = generation_;
      Loop& loop = *loop_;
      lock.unlock();
      set_fp_environment();
      loop.take_part(static_cast<std::uint32_t>(index + 1));
      lock.lock();
      if (--active_ == 0) finished_.notify_one();
    }
  }

  std::mutex mutex_;
  std::condition_variable wake_, finished_;
  std::vector<std::thread> threads_;
  Loop* loop_ = nullptr;
  std::uint64_t helpers_ = 0, active_ = 0, generation_ = 0;
  bool stopping_ = false;
};

/// Process-wide and never destroyed: no work at exit.
struct Workers {
  std::atomic<std::uint32_t> count{usable_cores()};
  Pool* pool = new Pool;
};

Workers& workers();

// A fork copies the pool without its threads: no loop of another thread may be under way, and the child starts with a
// new pool. A loop that forks itself already holds the lock, or needs none.
void before_fork() {
  if (!inside_loop) workers().pool->loop_mutex.lock();
}
void after_fork_in_parent() {
  if (!inside_loop) workers().pool->loop_mutex.unlock();
}
void after_fork_in_child() { workers().pool = new Pool; }

Workers& workers() {
  static Workers& instance = *new Workers;
  static const int registered = pthread_atfork(before_fork, after_fork_in_parent, after_fork_in_child);
  static_cast<void>(registered);
  return instance;
}

}  // namespace

void set_worker_count(std::uint32_t count) { workers().count = count != 0 ? count : usable_cores(); }

std::uint32_t worker_count() { return workers().count; }

std::int32_t parallel_for(std::uint64_t n, std::uint64_t grain, tenon_parallel_fn* fn, void* context) {
  if (fn == nullptr) return TENON_ERROR_INVALID_ARGUMENT;
  if (n == 0) return TENON_OK;
  const std::uint64_t count = worker_count();
  const std::uint64_t most = inside_loop || count == 1 ? 1 : 4 * count;  // more ranges than workers even the load out
  Loop loop{fn, context, n, std::clamp<std::uint64_t>(n / std::max<std::uint64_t>(1, grain), 1, most)};
  const auto wanted = static_cast<std::uint32_t>(std::min(count, loop.ranges));
  if (wanted > 1 && workers().pool->run(loop, wanted)) {
    if (loop.thrown) std::rethrow_exception(loop.thrown);  // into the frames of the plugin that threw it
    return TENON_OK;
  }
  const InsideLoop mark;
  fn(context, 0, n, 0);
  return TENON_OK;
}

void stop_workers() { workers().pool->stop(); }

}  // namespace tenon
