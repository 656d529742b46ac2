#include "shadow.h"

#include <sys/mman.h>

#include <new>

namespace gpusim {
namespace {

bool ordered(const Cell::Last& last, const Moment& now, bool shared_memory) {
  if (last.interval < now.launch_begin) return true;
  if (!shared_memory && last.several_blocks == now.launch_begin) return false;
  if (last.interval < now.block_begin) return shared_memory;
  if (last.interval < now.interval) return true;
  if (last.many == 0 && last.thread == now.thread) return true;
  return last.many < 2 && last.warp == now.warp && last.warp_interval < now.warp_interval;
}

void remember(Cell::Last& last, const Moment& now) {
  const bool this_launch = last.interval >= now.launch_begin;
  if (this_launch && last.interval < now.block_begin) last.several_blocks = now.launch_begin;
  const bool after_warp = last.many < 2 && last.warp == now.warp && last.warp_interval < now.warp_interval;
  if (last.interval != now.interval || after_warp) {
    last.many = 0;  // whoever comes next and is ordered after this one is ordered after the others too
  } else if (last.warp != now.warp || last.many == 2) {
    last.many = 2;
  } else if (last.thread != now.thread) {
    last.many = 1;
  }
  last.interval = now.interval;
  last.warp_interval = now.warp_interval;
  last.thread = now.thread;
  last.warp = now.warp;
}

}  // namespace

bool Cell::races(const Moment& now, Access access, bool shared_memory) {
  bool race = !ordered(write, now, shared_memory);
  if (access != Access::atomic) race = race || !ordered(atomic, now, shared_memory);
  if (access != Access::read) race = race || !ordered(read, now, shared_memory);
  remember(access == Access::read ? read : access == Access::write ? write : atomic, now);
  return race;
}

Shadow::Shadow(std::size_t bytes) : mapped_bytes_((bytes + 1) * sizeof(Cell)) {
  void* cells =
      mmap(nullptr, mapped_bytes_, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (cells == MAP_FAILED) throw std::bad_alloc();
  cells_ = static_cast<Cell*>(cells);
}

Shadow::~Shadow() { munmap(cells_, mapped_bytes_); }

}  // namespace gpusim
