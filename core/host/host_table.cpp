#include "host_table.h"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>
#include <iterator>
#include <limits>

#include "abi_range.h"
#include "tenon/loaded_plugin.h"
#include "tenon/log.h"
#include "tenon/worker_pool.h"
#include "validate/faults.h"

namespace tenon {
namespace {

/// A fixed buffer: taking an error must work when memory is exhausted.
struct ErrorSlot {
  std::size_t length = 0;
  char text[2048];
};
thread_local ErrorSlot last_error;

std::string_view text_of(const char* text) { return text != nullptr ? text : ""; }

void log(std::uint32_t level, const char* plugin, const char* text) {
  constexpr std::uint32_t most = TENON_LOG_ERROR;
  logging::write(static_cast<logging::Level>(std::min(level, most)), text_of(plugin), text_of(text));
}

void set_error(std::int32_t, const char* text) {
  const std::string_view words = text_of(text);
  last_error.length = std::min(words.size(), sizeof last_error.text);
  std::memcpy(last_error.text, words.data(), last_error.length);
}

void* allocate(std::uint64_t bytes, std::uint64_t alignment) {
  if (!std::has_single_bit(alignment)) return nullptr;
  alignment = std::max<std::uint64_t>(alignment, alignof(std::max_align_t));
  if (bytes > std::numeric_limits<std::uint64_t>::max() - alignment) return nullptr;
  const std::uint64_t whole = (std::max<std::uint64_t>(bytes, 1) + alignment - 1) / alignment * alignment;
  return std::aligned_alloc(alignment, whole);
}

void release(void* memory) { std::free(memory); }

/// The failing call reports it as well, as an error; this line is for who watches the log.
void device_lost(std::uint64_t, std::int32_t, const char* text) {
  logging::write(logging::Level::info, "device lost", text_of(text));
}

const void* extension(const char*, std::uint32_t) { return nullptr; }

/// The table as a version knows it: what was appended later lies beyond its size.
constexpr tenon_host table_of(std::uint32_t abi, std::uint32_t bytes) {
  return {.size = bytes,
          .flags = 0,
          .abi = abi,
          .pad = 0,
          .log = log,
          .set_error = set_error,
          .alloc = allocate,
          .free = release,
          .worker_count = worker_count,
          .parallel_for = parallel_for,
          .device_lost = device_lost,
          .extension = extension};
}

#define TENON_HOST_TABLE(major, minor, fingerprint, host_bytes) table_of(TENON_ABI_VERSION(major, minor), host_bytes),
constexpr tenon_host tables[] = {TENON_ABI_VERSIONS(TENON_HOST_TABLE)};
#undef TENON_HOST_TABLE
static_assert(std::begin(tables)->abi == host::abi_min && std::rbegin(tables)->abi == host::abi_max);
static_assert(std::rbegin(tables)->size == sizeof(tenon_host));

Reason reason_of(std::int32_t status) {
  switch (status) {
    case TENON_UNIMPLEMENTED:
      return Reason::UNIMPLEMENTED;
    case TENON_DECLINED:
      return Reason::DECLINED;
    case TENON_ERROR_OUT_OF_MEMORY:
      return Reason::OUT_OF_MEMORY;
    case TENON_ERROR_DEVICE_LOST:
      return Reason::DEVICE_LOST;
    case TENON_ERROR_INVALID_ARGUMENT:
      return Reason::INVALID_ARGUMENT;
    case TENON_ERROR_UNKNOWN_OPTION:
      return Reason::OPTION_UNKNOWN;
    case host::status_validation_failed:
      return Reason::VALIDATION_FAILED;
    default:
      return Reason::KERNEL_FAILED;
  }
}

std::string words_of(std::int32_t status) {
  std::string words = take_plugin_error();
  if (!words.empty()) return words;
  if (status == TENON_UNIMPLEMENTED) return "not implemented by this plugin";
  if (status == TENON_PENDING) return "not finished in time";
  return std::string(info(reason_of(status)).meaning) + " (status " + std::to_string(status) + ", without a word)";
}

}  // namespace

std::string take_plugin_error() {
  std::string out(last_error.text, last_error.length);
  last_error.length = 0;
  return out;
}

void clear_plugin_error() { last_error.length = 0; }

Error plugin_error(std::int32_t status, std::string_view where) {
  return {reason_of(status), "[" + std::string(where) + "] " + words_of(status), {}};
}

namespace host {

const void* host_table(std::uint32_t abi) {
  const auto* found = std::ranges::find(tables, abi, &tenon_host::abi);
  return found == std::end(tables) ? nullptr : found;
}

}  // namespace host
}  // namespace tenon
