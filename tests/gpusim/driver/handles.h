// handles.h: what a driver gave out, and what it took back. The address of a thing that was destroyed is not given out
// again, so that its use is always seen.
#pragma once
#include <map>
#include <memory>
#include <vector>

namespace gpusim::driver {

template <class T>
class Handles {
 public:
  T* add(T thing) {
    auto owned = std::make_unique<T>(std::move(thing));
    T* handle = owned.get();
    live_[handle] = std::move(owned);
    return handle;
  }
  /// Null for what is not there, or no longer.
  T* find(const void* handle) const {
    const auto found = live_.find(handle);
    return found == live_.end() ? nullptr : found->second.get();
  }
  bool was_there(const void* handle) const {
    for (const auto& thing : dead_) {
      if (thing.get() == handle) return true;
    }
    return false;
  }
  void remove(const void* handle) {
    const auto found = live_.find(handle);
    dead_.push_back(std::move(found->second));
    live_.erase(found);
  }
  template <class Condition>
  void remove_if(Condition condition) {
    std::vector<const void*> chosen;
    for (const auto& [handle, thing] : live_) {
      if (condition(*thing)) chosen.push_back(handle);
    }
    for (const void* handle : chosen) remove(handle);
  }
  template <class Action>
  void each(Action action) const {
    for (const auto& [handle, thing] : live_) action(*thing);
  }
  std::size_t size() const { return live_.size(); }

 private:
  std::map<const void*, std::unique_ptr<T>> live_;
  std::vector<std::unique_ptr<T>> dead_;
};

}  // namespace gpusim::driver
