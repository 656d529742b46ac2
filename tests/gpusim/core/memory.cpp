#include "memory.h"

#include <sys/mman.h>

#include <algorithm>
#include <cstring>

#include "trap.h"

namespace gpusim {
namespace {

constexpr std::size_t page_bytes = 4096;
constexpr std::size_t remembered_freed = 1024;  // below the system's limit of mappings

std::size_t rounded(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

void release(const Memory::Allocation& allocation) {
  munmap(allocation.body - page_bytes, allocation.body_bytes + 2 * page_bytes);
}

}  // namespace

Memory::Memory(std::size_t capacity_bytes, Host host) : capacity_bytes_(capacity_bytes), host_(host) { watch(*this); }

Memory::~Memory() {
  unwatch(*this);
  for (auto& [base, allocation] : allocations_) release(allocation);
}

void* Memory::allocate(std::size_t bytes, Life life) {
  if (bytes == 0 || bytes > capacity_bytes_ - used_bytes_) return nullptr;
  Allocation allocation;
  allocation.bytes = bytes;
  allocation.life = life;
  allocation.body_bytes = rounded(bytes, page_bytes);
  const std::size_t mapped_bytes = allocation.body_bytes + 2 * page_bytes;
  void* mapped = mmap(nullptr, mapped_bytes, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  allocation.body = static_cast<char*>(mapped) + page_bytes;
  allocation.base = allocation.body + allocation.body_bytes - rounded(bytes, alignment_bytes);
  mprotect(allocation.body, allocation.body_bytes, PROT_READ | PROT_WRITE);
  std::memset(allocation.body, 0xff, allocation.body_bytes);  // NaN, as binary32 and as binary64
  if (opened_ == 0 && host_ == Host::kept_out) mprotect(allocation.body, allocation.body_bytes, PROT_NONE);
  allocation.written.resize(bytes, host_ == Host::may_touch);
  used_bytes_ += bytes;
  char* base = allocation.base;
  allocations_.emplace(reinterpret_cast<std::uintptr_t>(base), std::move(allocation));
  return base;
}

bool Memory::free(void* base) {
  const auto found = allocations_.find(reinterpret_cast<std::uintptr_t>(base));
  if (found == allocations_.end() || found->second.life == Life::freed) return false;
  Allocation& allocation = found->second;
  allocation.life = Life::freed;
  allocation.written = {};
  allocation.shadow.reset();
  used_bytes_ -= allocation.bytes;
  mprotect(allocation.body, allocation.body_bytes, PROT_NONE);
  madvise(allocation.body, allocation.body_bytes, MADV_DONTNEED);
  freed_.push_back(found->first);
  if (freed_.size() > remembered_freed) forget_oldest();
  return true;
}

void Memory::begin_life(void* base) {
  Allocation& allocation = allocations_.at(reinterpret_cast<std::uintptr_t>(base));
  if (allocation.life == Life::not_yet) allocation.life = Life::live;
}

void Memory::end_use(void* base, std::uint64_t last_use) {
  allocations_.at(reinterpret_cast<std::uintptr_t>(base)).last_use = last_use;
}

void Memory::forget_oldest() {
  recent_ = nullptr;
  release(allocations_.at(freed_.front()));
  allocations_.erase(freed_.front());
  freed_.erase(freed_.begin());
}

Memory::Allocation* Memory::find(const void* address) {
  if (recent_ != nullptr && recent_->holds(address, 0)) return recent_;
  auto next = allocations_.upper_bound(reinterpret_cast<std::uintptr_t>(address));
  if (next == allocations_.begin()) return nullptr;
  Allocation& allocation = std::prev(next)->second;
  if (address >= allocation.body + allocation.body_bytes + page_bytes) return nullptr;
  return recent_ = &allocation;
}

bool Memory::holds(const void* address, std::size_t bytes) {
  const Allocation* allocation = find(address);
  return allocation != nullptr && allocation->life == Life::live && allocation->holds(address, bytes);
}

void Memory::mark_written(Allocation& allocation, const void* address, std::size_t bytes) {
  const auto begin = allocation.written.begin() + std::ptrdiff_t(allocation.offset(address));
  std::fill(begin, begin + std::ptrdiff_t(bytes), true);
}

void Memory::write(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const Opened opened(*this);
  std::memcpy(to, from, bytes);
  mark_written(*find(to), to, bytes);
}

void Memory::read(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const Opened opened(*this);
  std::memcpy(to, from, bytes);
}

void Memory::copy(void* to, const void* from, std::size_t bytes) {
  if (bytes == 0) return;
  const Opened opened(*this);
  std::memmove(to, from, bytes);
  Allocation& source = *find(from);
  Allocation& target = *find(to);
  const std::vector<bool> written(source.written.begin() + std::ptrdiff_t(source.offset(from)),
                                  source.written.begin() + std::ptrdiff_t(source.offset(from) + bytes));
  std::copy(written.begin(), written.end(), target.written.begin() + std::ptrdiff_t(target.offset(to)));
}

void Memory::fill(void* to, const void* pattern, std::size_t pattern_bytes, std::size_t count) {
  if (count == 0) return;
  const Opened opened(*this);
  for (std::size_t i = 0; i < count; ++i)
    std::memcpy(static_cast<char*>(to) + i * pattern_bytes, pattern, pattern_bytes);
  mark_written(*find(to), to, pattern_bytes * count);
}

void Memory::everything_written() {
  for (auto& [base, allocation] : allocations_) std::fill(allocation.written.begin(), allocation.written.end(), true);
}

std::size_t Memory::live() const { return leaks().size(); }

std::vector<const Memory::Allocation*> Memory::leaks() const {
  std::vector<const Allocation*> live;
  for (const auto& [base, allocation] : allocations_) {
    if (allocation.life != Life::freed) live.push_back(&allocation);
  }
  return live;
}

void Memory::open() {
  if (opened_++ == 0) protect(true);
}

void Memory::close() {
  if (--opened_ == 0) protect(false);
}

void Memory::protect(bool readable) {
  if (host_ == Host::may_touch) return;
  for (auto& [base, allocation] : allocations_) {
    if (allocation.life != Life::freed)
      mprotect(allocation.body, allocation.body_bytes, readable ? PROT_READ | PROT_WRITE : PROT_NONE);
  }
}

}  // namespace gpusim
