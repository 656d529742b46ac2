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
  context.unseen_bytes = std::min(context.unseen_bytes, kept);
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

// "After this API returns, accessing the memory from any subsequent work launched on the GPU [...] results in undefined
// behavior" (cuMemFreeAsync), also where that work comes before the free.
Status Driver::free_async(std::uint64_t address, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  Context* context = current();
  Memory& given = context->simulated->memory();
  const Memory::Allocation* allocation = given.find(pointer(address));
  if (allocation == nullptr || number(allocation->base) != address) {
    return complain(now_, "was given what is no allocation of the current device", invalid_value);
  }
  if (allocation->life == Memory::Life::freed || allocation->last_use != UINT64_MAX) {
    return complain(now_, "was given what was freed before", invalid_value);
  }
  given.end_use(pointer(address), works_);
  return enqueue(*s, {.run =
                          [this, context, address, s](Status) {
                            Memory& memory = context->simulated->memory();
                            const std::size_t before = memory.used_bytes();
                            if (!memory.free(pointer(address))) {
                              return complain("cuMemFreeAsync", "freed what was freed before", illegal_address);
                            }
                            if (context->keeps_freed) {
                              const std::size_t freed = before - memory.used_bytes();
                              context->pooled_bytes += freed;
                              context->unseen_bytes += freed;
                              s->freed_bytes += freed;
                            }
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

// "Allocations that have been asynchronously freed but whose completion has not been observed on the host (eg. by a
// synchronize) can count as outstanding" (cuMemPoolTrimTo).
Status Driver::pool_trim(std::size_t keep) {
  Context& context = *current();
  context.pooled_bytes = std::min(context.pooled_bytes, std::max(keep, context.unseen_bytes));
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
    if (allocation == nullptr || allocation->life == Memory::Life::freed || allocation->last_use != UINT64_MAX)
      continue;
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

// "For transfers between device memory and pageable host memory, the function might be synchronous with respect to
// host" (CUDA Driver API, "API synchronization behavior"). It might not: the host's memory is read and written when the
// stream comes to it, as pinned memory is.
Status Driver::copy_in(std::uint64_t to, const void* from, std::size_t bytes, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (bytes == 0) return success;
  Memory* target = holder(to, bytes);
  if (target == nullptr || current()->simulated->memory().knows(from)) {
    return complain(now_, "was given bytes that are not in one allocation, or no host memory", invalid_value);
  }
  const bool pinned = pinned_->holds(from, bytes);
  return enqueue(*s, {.run =
                          [=, this](Status error) mutable {
                            if (error != success) return success;
                            Memory* source = pinned_.get();
                            if (pinned && touch("a copy", source, number(from), bytes) != success)
                              return illegal_address;
                            if (touch("a copy", target, to, bytes) != success) return illegal_address;
                            target->write(pointer(to), from, bytes);
                            return success;
                          },
                      .after = nullptr});
}

Status Driver::copy_out(void* to, std::uint64_t from, std::size_t bytes, void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (bytes == 0) return success;
  Memory* source = holder(from, bytes);
  if (source == nullptr || current()->simulated->memory().knows(to)) {
    return complain(now_, "was given bytes that are not in one allocation, or no host memory", invalid_value);
  }
  const bool pinned = pinned_->holds(to, bytes);
  return enqueue(*s, {.run =
                          [=, this](Status error) mutable {
                            if (error != success) return success;
                            Memory* target = pinned_.get();
                            if (pinned && touch("a copy", target, number(to), bytes) != success) return illegal_address;
                            if (touch("a copy", source, from, bytes) != success) return illegal_address;
                            source->read(to, pointer(from), bytes);
                            return success;
                          },
                      .after = nullptr});
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
