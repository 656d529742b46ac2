// What each access of an instrumented kernel is checked for.
#include <algorithm>
#include <cstdio>

#include "block.h"
#include "gpusim/variables.h"

namespace gpusim {
namespace {

std::string what(Access access, std::size_t bytes) {
  const char* verb = access == Access::read ? "read" : access == Access::write ? "write" : "atomic";
  return std::string(verb) + " of " + std::to_string(bytes) + " bytes";
}

template <class T>
bool within(const T& variable, const void* address) {
  return address >= &variable && address < &variable + 1;
}

std::string at(const void* address) {
  char text[32];
  std::snprintf(text, sizeof text, "%p", address);
  return text;
}

}  // namespace

void Block::access(const void* address, std::size_t bytes, Access access, bool aligned, const void* code) {
  if (fibers().owns(current_, address)) return;
  if (aligned && reinterpret_cast<std::uintptr_t>(address) % bytes != 0) {
    give_up(Fault::misaligned, what(access, bytes) + " at " + at(address), code);
  }
  if (check_shared(address, bytes, access, code) || check_global(address, bytes, access, code)) return;
  if (fibers().owns(address)) {
    report(Fault::foreign_local, what(access, bytes), code, current_);
    return;
  }
  check_other(address, bytes, access, code);
}

const SharedVariable* Block::shared_variable(std::size_t offset) const {
  const auto next = std::upper_bound(shared_variables_.begin(), shared_variables_.end(), offset,
                                     [](std::size_t o, const SharedVariable& v) { return o < v.offset; });
  if (next == shared_variables_.begin()) return nullptr;
  const SharedVariable& variable = *std::prev(next);
  return offset - variable.offset < variable.bytes ? &variable : nullptr;
}

bool Block::check_shared(const void* address, std::size_t bytes, Access access, const void* code) {
  const auto* byte = static_cast<const char*>(address);
  const bool is_static = byte >= shared_base_ && byte < shared_base_ + plan_.library->shared_bytes();
  const bool is_dynamic = byte >= dynamic_ && byte < dynamic_ + plan_.dynamic_shared_bytes;
  if (!is_static && !is_dynamic) {
    if (byte < dynamic_storage_.data() || byte >= dynamic_storage_.data() + dynamic_storage_.size()) return false;
    give_up(Fault::out_of_bounds, what(access, bytes) + " outside of dynamic shared memory", code);
  }
  const SharedVariable* variable = nullptr;
  std::size_t offset = std::size_t(byte - dynamic_), begin = 0, end = plan_.dynamic_shared_bytes;
  if (is_static) {
    offset = std::size_t(byte - shared_base_);
    variable = shared_variable(offset);
    if (variable == nullptr) {
      give_up(Fault::out_of_bounds, what(access, bytes) + " in no shared variable of the kernel", code);
    }
    begin = variable->offset;
    end = begin + variable->bytes;
  }
  const auto place = [&] {
    return what(access, bytes) + " at byte " + std::to_string(offset - begin) + " of " +
           (variable != nullptr ? "shared " + variable->name : "dynamic shared memory");
  };
  if (offset + bytes > end) give_up(Fault::out_of_bounds, place(), code);
  Shadow& shadow = is_static ? shared_shadow_ : dynamic_shadow_;
  const Moment moment = now();
  bool raced = false, unwritten = false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    Cell& cell = shadow.at(i);
    unwritten = unwritten || (access != Access::write && !cell.written_in(block_begin_));
    raced = cell.races(moment, access, true) || raced;
  }
  if (unwritten) report(Fault::uninitialised, place(), code, current_);
  if (raced) report(Fault::data_race, place(), code, current_);
  return true;
}

bool Block::check_global(const void* address, std::size_t bytes, Access access, const void* code) {
  Memory::Allocation* allocation = memory_.find(address);
  if (allocation == nullptr && plan_.pinned != nullptr) allocation = plan_.pinned->find(address);
  if (allocation == nullptr) return false;
  const std::size_t offset = allocation->offset(address);
  const auto place = [&] {
    return what(access, bytes) + " at byte " + std::to_string(offset) + " of an allocation of " +
           std::to_string(allocation->bytes) + " bytes";
  };
  if (allocation->life == Memory::Life::freed) give_up(Fault::use_after_free, place() + " that was freed", code);
  if (allocation->last_use < plan_.number) {
    give_up(Fault::use_after_free, place() + " whose free was asked for before the launch was", code);
  }
  if (allocation->life == Memory::Life::not_yet) {
    give_up(Fault::use_before_allocation, place() + " whose stream has not come to it", code);
  }
  if (!allocation->holds(address, bytes)) give_up(Fault::out_of_bounds, place(), code);
  if (allocation->shadow == nullptr) allocation->shadow = std::make_unique<Shadow>(allocation->bytes);
  const Moment moment = now();
  bool raced = false, unwritten = false;
  for (std::size_t i = offset; i < offset + bytes; ++i) {
    unwritten = unwritten || (access != Access::write && !allocation->written[i]);
    if (access != Access::read) allocation->written[i] = true;
    raced = allocation->shadow->at(i).races(moment, access, false) || raced;
  }
  if (unwritten) report(Fault::uninitialised, place(), code, current_);
  if (raced) report(Fault::data_race, place(), code, current_);
  return true;
}

// Whether an entry copies the argument that it passes by value: for a large one the compiler calls memcpy, which is
// told.
bool Block::is_argument(const void* address, std::size_t bytes) const {
  for (unsigned i = 0; i < plan_.kernel->argument_count; ++i)
    if (plan_.arguments[i] == address && bytes == plan_.kernel->argument_bytes[i]) return true;
  return false;
}

// Tables of constants lie in the library itself, and threadIdx and its like in the simulator.
void Block::check_other(const void* address, std::size_t bytes, Access access, const void* code) {
  const bool is_variable = within(threadIdx, address) || within(blockIdx, address) || within(blockDim, address) ||
                           within(gridDim, address) || within(warpSize, address);
  if (access == Access::read && is_argument(address, bytes)) return;
  if (!is_variable && !plan_.library->contains(address)) {
    give_up(Fault::out_of_bounds, what(access, bytes) + " at " + at(address) + ", which is in no allocation", code);
  }
  if (access != Access::read) give_up(Fault::constant_written, what(access, bytes), code);
}

}  // namespace gpusim
