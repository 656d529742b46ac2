#include "objc.h"

#include <cstdio>
#include <cstdlib>
#include <map>
#include <vector>

#include "system.h"

namespace gpusim::metal {
namespace {

const Class gone{nullptr, "an object that is gone", {}};

// Of each class: how many there are. Never destroyed, since objects go late.
std::map<std::string_view, long>& living() {
  static auto* counts = new std::map<std::string_view, long>;
  return *counts;
}

/// The pools of a thread: objects, and where each pool begins.
struct Pools {
  std::vector<Object*> objects;
  std::vector<std::size_t> begins;
};
thread_local Pools pools;

[[noreturn]] void end(const std::string& words) {
  std::fprintf(stderr, "gpusim: %s\n", words.c_str());
  std::fflush(stderr);
  std::abort();
}

const Class& class_of(const Object* object) {
  if (object->isa == &gone) end("a " + std::string(object->was->name) + " is used after it was deallocated");
  return *object->isa;
}

}  // namespace

Object::Object(const Class& of) : isa(&of), was(&of) {
  const System::Lock lock;
  ++living()[of.name];
}

void retain(Object* object) {
  if (object == nullptr) return;
  class_of(object);
  object->references.fetch_add(1);
}

// The memory stays, see objc.h.
void release(Object* object) {
  if (object == nullptr) return;
  const Class& of = class_of(object);
  if (object->references.fetch_sub(1) != 1) return;
  const System::Lock lock;
  --living()[of.name];
  of.destroy(object);
  object->isa = &gone;
}

Object* autoreleased(Object* object) {
  if (object == nullptr) return nullptr;
  class_of(object);
  if (pools.begins.empty()) {
    System::get().complain(std::string("a ") + object->was->name + " was autoreleased with no pool in place");
  } else {
    pools.objects.push_back(object);
  }
  return object;
}

std::string living_objects(std::string_view but) {
  std::string words;
  for (const auto& [name, count] : living()) {
    if (count != 0 && name != but)
      words += (words.empty() ? "" : ", ") + std::to_string(count) + " " + std::string(name);
  }
  return words;
}

extern "C" Implementation gpusim_objc_lookup(Object* receiver, const char* selector);

namespace {

// What a message to nil gives: 0, whatever it is.
std::uintptr_t nothing() { return 0; }

}  // namespace

Implementation gpusim_objc_lookup(Object* receiver, const char* selector) {
  if (receiver == nullptr) return reinterpret_cast<Implementation>(&nothing);
  const Class& of = class_of(receiver);
  const auto found = of.methods.find(selector);
  if (found == of.methods.end()) end("the fake Metal does not model -[" + std::string(of.name) + " " + selector + "]");
  return found->second;
}

}  // namespace gpusim::metal

// -- what clang's code calls -------------------------------------------------------------------------------------

using gpusim::metal::Class;
using gpusim::metal::Object;

extern "C" {

Object* objc_retain(Object* object) {
  gpusim::metal::retain(object);
  return object;
}
void objc_release(Object* object) { gpusim::metal::release(object); }
Object* objc_autorelease(Object* object) { return gpusim::metal::autoreleased(object); }
Object* objc_retainAutorelease(Object* object) { return objc_autorelease(objc_retain(object)); }
Object* objc_autoreleaseReturnValue(Object* object) { return objc_autorelease(object); }
Object* objc_retainAutoreleaseReturnValue(Object* object) { return objc_retainAutorelease(object); }
Object* objc_retainAutoreleasedReturnValue(Object* object) { return objc_retain(object); }
Object* objc_unsafeClaimAutoreleasedReturnValue(Object* object) { return object; }
void objc_storeStrong(Object** place, Object* object) {
  objc_retain(object);
  objc_release(std::exchange(*place, object));
}
Object* objc_alloc_init(const Class* of) { return of->make(); }

void* objc_autoreleasePoolPush() {
  auto& pools = gpusim::metal::pools;
  pools.begins.push_back(pools.objects.size());
  return reinterpret_cast<void*>(pools.begins.size());
}
// A pool that is popped takes those with it that were pushed after it.
void objc_autoreleasePoolPop(void* pool) {
  auto& pools = gpusim::metal::pools;
  const auto depth = reinterpret_cast<std::size_t>(pool);
  while (pools.begins.size() >= depth) {
    const std::size_t begin = pools.begins.back();
    while (pools.objects.size() > begin) {
      Object* object = pools.objects.back();
      pools.objects.pop_back();
      objc_release(object);
    }
    pools.begins.pop_back();
  }
}

}  // extern "C"

// Finds the method by class and selector, and goes there with every argument where it was.
asm(R"(
.text
.globl objc_msgSend
.type objc_msgSend,@function
objc_msgSend:
  pushq %rbp
  movq %rsp, %rbp
  subq $192, %rsp
  movq %rdi, -8(%rbp)
  movq %rsi, -16(%rbp)
  movq %rdx, -24(%rbp)
  movq %rcx, -32(%rbp)
  movq %r8, -40(%rbp)
  movq %r9, -48(%rbp)
  movups %xmm0, -64(%rbp)
  movups %xmm1, -80(%rbp)
  movups %xmm2, -96(%rbp)
  movups %xmm3, -112(%rbp)
  call gpusim_objc_lookup@PLT
  movq %rax, %r11
  movq -8(%rbp), %rdi
  movq -16(%rbp), %rsi
  movq -24(%rbp), %rdx
  movq -32(%rbp), %rcx
  movq -40(%rbp), %r8
  movq -48(%rbp), %r9
  movups -64(%rbp), %xmm0
  movups -80(%rbp), %xmm1
  movups -96(%rbp), %xmm2
  movups -112(%rbp), %xmm3
  leave
  jmp *%r11
.size objc_msgSend,.-objc_msgSend
)");
