// Copies when it is asked to synchronise and not before, and the first synchronise of a stream fails.
#include <cstdlib>
#include <cstring>

#include "faulty.h"

namespace {

void* copy_to = nullptr;
const void* copy_from = nullptr;
std::uint64_t copy_bytes = 0;
int synchronised = 0;

std::int32_t allocate(tenon_device*, std::uint64_t bytes, std::uint64_t, std::uint32_t, tenon_memory* memory) {
  memory->memory = reinterpret_cast<std::uint64_t>(std::malloc(bytes));
  memory->bytes = bytes;
  return TENON_OK;
}

std::int32_t release(tenon_device*, std::uint64_t memory) {
  std::free(reinterpret_cast<void*>(memory));
  return TENON_OK;
}

void* address(tenon_ref at) { return reinterpret_cast<void*>(at.memory + at.offset_bytes); }

std::int32_t queue(void* to, const void* from, std::uint64_t bytes) {
  copy_to = to;
  copy_from = from;
  copy_bytes = bytes;
  return TENON_OK;
}

std::int32_t synchronize(tenon_stream*, std::uint64_t) {
  if (copy_bytes > 0) std::memcpy(copy_to, copy_from, copy_bytes);
  copy_bytes = 0;
  if (++synchronised > 1) return TENON_OK;
  faulty::host->set_error(TENON_ERROR_DEVICE_LOST, "an earlier kernel failed");
  return TENON_ERROR_DEVICE_LOST;
}

}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  tenon_devices& t = faulty::device_table;
  t.open = faulty::open;
  t.close = faulty::close;
  t.stream_create = [](tenon_device* device, std::uint32_t flags, tenon_stream** stream) {
    synchronised = 0;
    return faulty::stream_create(device, flags, stream);
  };
  t.stream_destroy = faulty::stream_destroy;
  t.stream_synchronize = synchronize;
  t.memory_alloc = allocate;
  t.memory_free = release;
  t.copy_in = [](tenon_stream*, tenon_ref to, const void* from, std::uint64_t bytes) {
    return queue(address(to), from, bytes);
  };
  t.copy_out = [](tenon_stream*, void* to, tenon_ref from, std::uint64_t bytes) {
    return queue(to, address(from), bytes);
  };
  return faulty::answer(query, reply);
}
