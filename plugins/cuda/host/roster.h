// roster.h: who is open at the moment, so that all work can be finished before a fork and before the end. Owns nobody.
// Threads: any.
#pragma once
#include <mutex>
#include <set>

namespace tenon::gpu {

template <class T>
class Roster {
 public:
  void add(T& member) {
    const std::lock_guard lock(mutex_);
    members_.insert(&member);
  }
  void remove(T& member) {
    const std::lock_guard lock(mutex_);
    members_.erase(&member);
  }
  template <class Action>
  void for_each(const Action& action) {
    const std::lock_guard lock(mutex_);
    for (T* member : members_) action(*member);
  }

 private:
  std::mutex mutex_;
  std::set<T*> members_;
};

}  // namespace tenon::gpu
