// object.h: a strong reference to one of Metal's objects that plain C++ may own. What it refers to is told by bridge.h.
//
// A value that can be moved; it gives its object back when it goes. Threads: as the object's.
#pragma once
#include <utility>

namespace tenon::metal {

class Object {
 public:
  Object() = default;
  /// Takes over a reference that the caller holds (bridge.h makes one).
  explicit Object(void* retained) : held_(retained) {}
  Object(Object&& other) noexcept : held_(std::exchange(other.held_, nullptr)) {}
  Object& operator=(Object&& other) noexcept {
    std::swap(held_, other.held_);
    return *this;
  }
  Object(const Object&) = delete;
  Object& operator=(const Object&) = delete;
  ~Object() { reset(); }

  explicit operator bool() const { return held_ != nullptr; }
  /// Another reference to the same object.
  Object share() const;
  void reset();
  void* pointer() const { return held_; }

 private:
  void* held_ = nullptr;
};

}  // namespace tenon::metal
