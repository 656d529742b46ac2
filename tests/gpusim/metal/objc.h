// objc.h: objects and classes of a small Objective-C runtime, as clang's code for macOS expects them, in ELF.
//
// An object begins with its class. Its memory is not used again once it is gone, so that a message to it is always
// seen, and ends the process with words; so does a selector that nobody modelled. Every method runs under the one lock
// of the fake (system.h). Threads: any.
#pragma once
#include <atomic>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace gpusim::metal {

using Implementation = void (*)();
struct Object;

struct Class {
  const Class* isa;  // of the class itself, for messages to it; null where there are none
  const char* name;
  std::unordered_map<std::string_view, Implementation> methods;
  void (*destroy)(Object*) = nullptr;
  Object* (*make)() = nullptr;  // alloc and init, where a program may
};

struct Object {
  explicit Object(const Class& of);
  const Class* isa;
  const Class* const was;  // also when it is gone
  std::atomic<long> references{1};
};

void retain(Object* object);
void release(Object* object);
/// Handed out without a reference: an autorelease pool holds it.
Object* autoreleased(Object* object);

template <class T>
void destroy_as(Object* object) {
  static_cast<T*>(object)->~T();
}

/// A reference that the fake holds.
template <class T>
class Ref {
 public:
  Ref() = default;
  explicit Ref(T* object) : object_(object) { retain(object); }
  Ref(const Ref& other) : Ref(other.object_) {}
  Ref(Ref&& other) noexcept : object_(std::exchange(other.object_, nullptr)) {}
  Ref& operator=(Ref other) noexcept {
    std::swap(object_, other.object_);
    return *this;
  }
  ~Ref() { release(object_); }
  T* get() const { return object_; }
  T* operator->() const { return object_; }
  T& operator*() const { return *object_; }
  explicit operator bool() const { return object_ != nullptr; }

 private:
  T* object_ = nullptr;
};

/// Around every method: takes the lock, and lets time pass.
class Entered {
 public:
  explicit Entered(const char* selector);
  ~Entered();
  Entered(const Entered&) = delete;
  Entered& operator=(const Entered&) = delete;
};

template <auto Member, class Type = decltype(Member)>
struct Method;
template <auto Member, class T, class Result, class... Arguments>
struct Method<Member, Result (T::*)(Arguments...)> {
  static Result call(T* self, const char* selector, Arguments... arguments) {
    const Entered entered(selector);
    return (self->*Member)(arguments...);
  }
};

/// `{"length", method<&Buffer::length>()}` in a class's table.
template <auto Member>
Implementation method() {
  return reinterpret_cast<Implementation>(&Method<Member>::call);
}

/// How many objects of each class there are, those of `but` left out: "2 MTLBuffer, 1 NSString".
std::string living_objects(std::string_view but);

}  // namespace gpusim::metal
