// faulty.h: the smallest plugin that a host accepts: one device and no kernel. Each .cpp in this folder is a plugin
// that takes it and does one thing wrong. Plain C++, without the SDK's helpers: those would not let it.
#pragma once
#include <cstdint>

#include "tenon/plugin.h"

#ifndef FAULTY_NAME
#error "tenon_bad_plugin() gives the name"
#endif

namespace faulty {

template <class... Arguments>
std::int32_t nothing(Arguments...) {
  return TENON_UNIMPLEMENTED;
}

inline const tenon_host* host = nullptr;

inline tenon_device_info device_info() {
  tenon_device_info info{};
  info.size = sizeof info;
  info.flags = TENON_DEVICE_SOFTWARE;
  info.device_class = TENON_CLASS_OTHER;
  info.kind = FAULTY_NAME;
  info.name = "a device for tests";
  info.driver = info.architecture = "";
  info.base_alignment_bytes = info.offset_alignment_bytes = 64;
  info.native_float = {TENON_DTYPE_FLOAT, 32, 1};
  info.memory_domain = "host";
  return info;
}

inline std::int32_t enumerate(void*, tenon_device_sink* sink, void* context) {
  const tenon_device_info info = device_info();
  sink(context, &info);
  return TENON_OK;
}

// For plugins whose device can be opened: a device and a stream are addresses that nobody follows.
inline char place[2];
inline std::int32_t open(void*, std::uint32_t, std::uint64_t, const tenon_attr*, std::uint32_t, tenon_device** device) {
  *device = reinterpret_cast<tenon_device*>(&place[0]);
  return TENON_OK;
}
inline std::int32_t close(tenon_device*) { return TENON_OK; }
inline std::int32_t stream_create(tenon_device*, std::uint32_t, tenon_stream** stream) {
  *stream = reinterpret_cast<tenon_stream*>(&place[1]);
  return TENON_OK;
}
inline std::int32_t stream_destroy(tenon_stream*) { return TENON_OK; }

inline std::int32_t initialize(const tenon_attr*, std::uint32_t, void** self) {
  *self = nullptr;
  return TENON_OK;
}
inline std::int32_t quiesce(void*) { return TENON_OK; }
inline void shutdown(void*) {}

inline tenon_devices devices() {
  tenon_devices t{};
  t.size = sizeof t;
  t.enumerate = enumerate;
  t.open = nothing;
  t.close = nothing;
  t.memory_alloc = nothing;
  t.memory_free = nothing;
  t.memory_info = nothing;
  t.memory_trim = nothing;
  t.stream_create = nothing;
  t.stream_destroy = nothing;
  t.stream_wait = nothing;
  t.stream_synchronize = nothing;
  t.copy = nothing;
  t.copy_in = nothing;
  t.copy_out = nothing;
  t.fill = nothing;
  t.event_create = nothing;
  t.event_destroy = nothing;
  t.event_record = nothing;
  t.event_query = nothing;
  t.event_wait = nothing;
  t.event_error = nothing;
  return t;
}

inline tenon_devices device_table = devices();

inline tenon_plugin plugin() {
  tenon_plugin t{};
  t.size = sizeof t;
  t.id = FAULTY_NAME;
  t.vendor = "faulty";
  t.version = "1.0";
  t.build = "";
  t.devices = &device_table;
  t.initialize = initialize;
  t.quiesce = quiesce;
  t.shutdown = shutdown;
  return t;
}

inline tenon_plugin plugin_table = plugin();

/// A reply without fault.
inline std::int32_t answer(const tenon_query* query, tenon_reply* reply) {
  host = static_cast<const tenon_host*>(query->host_table(TENON_ABI));
  reply->magic = TENON_REPLY_MAGIC;
  reply->size = sizeof *reply;
  reply->abi_min = reply->abi_max = reply->abi = TENON_ABI;
  reply->fingerprint = tenon_abi_fingerprint(TENON_ABI);
  reply->plugin = &plugin_table;
  return TENON_OK;
}

}  // namespace faulty
