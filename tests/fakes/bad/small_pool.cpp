// Has memory for an allocation only after a trim, never for more than a kilobyte, and none that is aligned to less than
// 64 bytes; and says so each time, whether or not anybody asks.
#include "faulty.h"

namespace {

bool trimmed = false;

std::int32_t refuse(std::int32_t status, const char* why) {
  faulty::host->set_error(status, why);
  return status;
}

std::int32_t allocate(tenon_device*, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t,
                      tenon_memory* memory) {
  if (alignment < 64) return refuse(TENON_ERROR_INVALID_ARGUMENT, "aligned to less than 64 bytes");
  if (bytes > 1024) return refuse(TENON_ERROR_OUT_OF_MEMORY, "the pool is in fragments");
  if (!trimmed) return refuse(TENON_ERROR_OUT_OF_MEMORY, "the pool is full");
  trimmed = false;
  memory->memory = 1;
  memory->bytes = bytes;
  return TENON_OK;
}

}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  tenon_devices& t = faulty::device_table;
  t.enumerate = [](void*, tenon_device_sink* sink, void* context) -> std::int32_t {
    tenon_device_info info = faulty::device_info();
    info.base_alignment_bytes = info.offset_alignment_bytes = 1;
    sink(context, &info);
    return TENON_OK;
  };
  t.open = faulty::open;
  t.close = faulty::close;
  t.stream_create = faulty::stream_create;
  t.stream_destroy = faulty::stream_destroy;
  t.memory_alloc = allocate;
  t.memory_free = [](tenon_device*, std::uint64_t) -> std::int32_t { return TENON_OK; };
  t.memory_info = [](tenon_device*, std::uint64_t*, std::uint64_t*) -> std::int32_t {
    return refuse(TENON_ERROR_DEVICE_LOST, "nobody counts");
  };
  t.memory_trim = [](tenon_device*) -> std::int32_t {
    trimmed = true;
    return TENON_OK;
  };
  return faulty::answer(query, reply);
}
