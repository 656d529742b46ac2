#include "counting_host.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <cstring>
#include <utility>

#include "host_table.h"

namespace tenon::check {
namespace {

constinit const tenon_host* own = nullptr;  // of the version that was last asked for; all are alike in what is used
constinit std::atomic<long> live_blocks{0}, blocks_left{-1};
constinit std::atomic<bool> has_failed{false};

/// A fixed buffer: taking an error must work while memory is made to run out.
struct Words {
  std::size_t length = 0;
  char text[1024];
};
thread_local Words last_words;

void set_error(std::int32_t, const char* text) {
  last_words.length = std::min(text != nullptr ? std::strlen(text) : 0, sizeof last_words.text);
  if (last_words.length != 0) std::memcpy(last_words.text, text, last_words.length);
}

void log(std::uint32_t, const char*, const char*) {}  // nobody reads it here

/// Counts down to the one that fails; whoever asks for nothing leaves the count alone.
bool is_to_fail() {
  if (blocks_left.load() < 0 || blocks_left.fetch_sub(1) != 0) return false;
  has_failed = true;
  return true;
}

void* allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (is_to_fail()) return nullptr;
  void* memory = own->alloc(bytes, alignment);
  if (memory != nullptr) ++live_blocks;
  return memory;
}

void release(void* memory) {
  if (memory != nullptr) --live_blocks;
  own->free(memory);
}

}  // namespace

const void* counting_host_table(std::uint32_t abi) {
  const auto* theirs = static_cast<const tenon_host*>(host::host_table(abi));
  if (theirs == nullptr) return nullptr;
  static std::array<tenon_host, 8> tables;  // one for each minor version: a plugin may keep the one it was given
  own = theirs;
  tenon_host& table = tables[(abi & 0xffff) % tables.size()];
  table = *theirs;
  table.log = log;
  table.set_error = set_error;
  table.alloc = allocate;
  table.free = release;
  return &table;
}

std::string take_words() { return {last_words.text, std::exchange(last_words.length, 0)}; }

long live_host_blocks() { return live_blocks; }

void fail_host_allocation(long n) {
  has_failed = false;
  blocks_left = n;
}

bool host_allocation_failed() { return has_failed; }

}  // namespace tenon::check
