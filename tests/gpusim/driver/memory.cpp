// Memory of a fake driver: allocations, in no stream's order and in one's, and copies.
#include <cstring>

#include "driver.h"

namespace gpusim::driver {
namespace {

void* pointer(std::uint64_t address) { return reinterpret_cast<void*>(address); }
std::uint64_t number(const void* address) { return reinterpret_cast<std::uint64_t>(address); }

}  // namespace

// What the pool keeps is there for the pool alone (CUDA Programming Guide, "Stream Ordered Memory Allocator").
Status Driver::take(std::uint64_t* address, std::size_t bytes, Memory::Life life, bool from_pool) {
  if (address == nullptr || bytes == 0) return invalid_value;
  Context& context = *current();
  Memory& memory = context.simulated->memory();
  const std::size_t reused = from_pool ? std::min(bytes, context.pooled_bytes) : 0;
  const std::size_t kept = context.pooled_bytes - reused;
  if (memory.used_bytes() + kept + bytes > memory.capacity_bytes()) return out_of_memory;
  void* base = memory.allocate(bytes, life);
  if (base == nullptr) return out_of_memory;
  context.pooled_bytes = kept;
  *address = number(base);
  return success;
}

Status Driver::allocate(std::uint64_t* address, std::size_t bytes) {
  return take(address, bytes, Memory::Life::live, false);
}

// That a free waits for work is how drivers are, and not what they promise.
Status Driver::free(std::uint64_t address) {
  if (address == 0) return success;
  if (current()->simulated->memory().free(pointer(address))) return success;
  return complain(now_, "was given what is no allocation of the current device", invalid_value);
}

Status Driver::allocate_async(std::uint64_t* address, std::size_t bytes, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  const Status status = take(address, bytes, Memory::Life::not_yet, true);
  if (status != success) return status;
  Memory* memory = &current()->simulated->memory();
  return enqueue(*s, {.run =
                          [memory, base = pointer(*address)](Status) {
                            memory->begin_life(base);
                            return success;
                          },
                      .after = nullptr});
}

Status Driver::free_async(std::uint64_t address, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  Context* context = current();
  if (context->simulated->memory().find(pointer(address)) == nullptr) {
    return complain(now_, "was given what is no allocation of the current device", invalid_value);
  }
  return enqueue(*s, {.run =
                          [this, context, address](Status) {
                            Memory& memory = context->simulated->memory();
                            const std::size_t before = memory.used_bytes();
                            if (!memory.free(pointer(address))) {
                              return complain("cuMemFreeAsync", "freed what was freed before", illegal_address);
                            }
                            if (context->keeps_freed) context->pooled_bytes += before - memory.used_bytes();
                            return success;
                          },
                      .after = nullptr});
}

Status Driver::allocate_host(void** memory, std::size_t bytes) {
  if (memory == nullptr || bytes == 0) return invalid_value;
  *memory = pinned_->allocate(bytes);
  return *memory == nullptr ? out_of_memory : success;
}

Status Driver::free_host(void* memory) {
  if (pinned_->free(memory)) return success;
  return complain(now_, "was given what is no pinned memory", invalid_value);
}

Status Driver::pool_keep(std::uint64_t threshold) {
  if (threshold != 0 && threshold != UINT64_MAX) unmodelled("a threshold between nothing and everything");
  current()->keeps_freed = threshold != 0;
  return success;
}

Status Driver::pool_trim(std::size_t keep) {
  current()->pooled_bytes = std::min(current()->pooled_bytes, keep);
  return success;
}

Status Driver::memory_info(std::size_t* free_bytes, std::size_t* all_bytes) {
  if (free_bytes == nullptr || all_bytes == nullptr) return invalid_value;
  const Memory& memory = current()->simulated->memory();
  *all_bytes = memory.capacity_bytes();
  *free_bytes = memory.capacity_bytes() - memory.used_bytes() - current()->pooled_bytes;
  return success;
}

// -- copies ---------------------------------------------------------------------------------------------------------

/// The memory that has all these bytes, the device's or the host's pinned; or null.
Memory* Driver::holder(std::uint64_t address, std::size_t bytes) {
  Memory& memory = current()->simulated->memory();
  for (Memory* candidate : {&memory, pinned_.get()}) {
    const Memory::Allocation* allocation = candidate->find(pointer(address));
    if (allocation == nullptr || allocation->life == Memory::Life::freed) continue;
    if (allocation->holds(pointer(address), bytes)) return candidate;
  }
  return nullptr;
}

// When the copy is done, what it touches must still be there, and be there already.
Status Driver::touch(const char* what, Memory*& memory, std::uint64_t address, std::size_t bytes) {
  if (memory->holds(pointer(address), bytes)) return success;
  return complain(what, "touched memory that was freed, or not yet allocated, when its stream came to it",
                  illegal_address);
}

Status Driver::copy(std::uint64_t to, std::uint64_t from, std::size_t bytes, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (bytes == 0) return success;
  Memory *target = holder(to, bytes), *source = holder(from, bytes);
  if (target == nullptr || source == nullptr) {
    return complain(now_, "was given bytes that are not in one allocation", invalid_value);
  }
  return enqueue(*s, {.run =
                          [=, this](Status error) mutable {
                            if (error != success) return success;
                            if (touch("a copy", source, from, bytes) != success) return illegal_address;
                            if (touch("a copy", target, to, bytes) != success) return illegal_address;
                            if (target == source) {
                              target->copy(pointer(to), pointer(from), bytes);
                            } else {
                              const Memory::Opened opened(*source);
                              target->write(pointer(to), pointer(from), bytes);
                            }
                            return success;
                          },
                      .after = nullptr});
}

// Pageable memory is staged before the call returns, pinned memory is read when the copy is done (CUDA Driver API, "API
// synchronization behavior").
Status Driver::copy_in(std::uint64_t to, const void* from, std::size_t bytes, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (bytes == 0) return success;
  Memory* target = holder(to, bytes);
  if (target == nullptr || current()->simulated->memory().knows(from)) {
    return complain(now_, "was given bytes that are not in one allocation, or no host memory", invalid_value);
  }
  const bool pinned = pinned_->holds(from, bytes);
  auto staged = std::make_shared<std::vector<char>>();
  if (!pinned) staged->assign(static_cast<const char*>(from), static_cast<const char*>(from) + bytes);
  return enqueue(*s, {.run =
                          [=, this](Status error) mutable {
                            if (error != success) return success;
                            Memory* source = pinned_.get();
                            if (pinned && touch("a copy", source, number(from), bytes) != success)
                              return illegal_address;
                            if (touch("a copy", target, to, bytes) != success) return illegal_address;
                            target->write(pointer(to), pinned ? from : staged->data(), bytes);
                            return success;
                          },
                      .after = nullptr});
}

// "For transfers from device memory to pageable host memory, the function will return only once the copy has completed"
// (the same page).
Status Driver::copy_out(void* to, std::uint64_t from, std::size_t bytes, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (bytes == 0) return success;
  Memory* source = holder(from, bytes);
  if (source == nullptr || current()->simulated->memory().knows(to)) {
    return complain(now_, "was given bytes that are not in one allocation, or no host memory", invalid_value);
  }
  const bool pinned = pinned_->holds(to, bytes);
  enqueue(*s, {.run =
                   [=, this](Status error) mutable {
                     if (error != success) return success;
                     Memory* target = pinned_.get();
                     if (pinned && touch("a copy", target, number(to), bytes) != success) return illegal_address;
                     if (touch("a copy", source, from, bytes) != success) return illegal_address;
                     source->read(to, pointer(from), bytes);
                     return success;
                   },
               .after = nullptr});
  if (!pinned) drain(*s);
  return current()->error;
}

Status Driver::fill(std::uint64_t to, std::uint32_t pattern, std::size_t pattern_bytes, std::size_t count,
                    void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (count == 0) return success;
  const std::size_t bytes = pattern_bytes * count;
  Memory* target = holder(to, bytes);
  if (target == nullptr || to % pattern_bytes != 0) {
    return complain(now_, "was given bytes that are not in one allocation, or not aligned", invalid_value);
  }
  return enqueue(*s, {.run =
                          [=, this](Status error) mutable {
                            if (error != success) return success;
                            if (touch("a memset", target, to, bytes) != success) return illegal_address;
                            target->fill(pointer(to), &pattern, pattern_bytes, count);
                            return success;
                          },
                      .after = nullptr});
}

}  // namespace gpusim::driver
