#include "guards.h"
#include "held_stream.h"
#include "slots.h"

namespace tenon::host {
namespace {

std::int32_t stream_create(tenon_device* device, std::uint32_t flags, tenon_stream** stream) {
  Call call("stream_create");
  const auto owner = call.find<DeviceRecord>(device);
  if (owner == nullptr || !call.has(stream != nullptr, "place for the stream")) return Call::refused;
  auto record = std::make_shared<StreamRecord>(owner->plugin, owner);
  const std::int32_t status =
      call.run_giving([&] { return owner->plugin->real.stream_create(owner->real, flags, &record->real); },
                      [&] { return none_given(record->real, HandleKind::stream); },
                      [&] {
                        if (record->real != nullptr) owner->plugin->real.stream_destroy(record->real);
                      });
  if (status != TENON_OK) return status;
  *stream = handle_of<tenon_stream>(Ledger::instance().add(std::move(record)));
  return TENON_OK;
}

std::int32_t stream_destroy(tenon_stream* stream) {
  Call call("stream_destroy", Call::Answer::unread);
  const auto held = hold(call, stream);
  if (!held) return Call::refused;
  const std::int32_t status = call.run([&] { return held->real().stream_destroy(held->stream->real); });
  Ledger::instance().complete_all(*held->stream);
  Ledger::instance().remove(*held->stream);
  return status;
}

std::int32_t stream_native(tenon_stream* stream, std::uint32_t* type, void** native) {
  Call call("stream_native");
  const auto held = hold(call, stream);
  if (!held) return Call::refused;
  return call.run([&] { return held->real().stream_native(held->stream->real, type, native); });
}

std::int32_t stream_wait(tenon_stream* stream, tenon_event* event) {
  Call call("stream_wait");
  const auto held = hold(call, stream);
  const auto awaited = held ? call.find<EventRecord>(event) : nullptr;
  if (awaited == nullptr) return Call::refused;
  if (!Ledger::instance().is_recorded(*awaited))
    return call.host_fault(rule::recorded, "found " + name_of(*awaited) + ", which was never recorded");
  if (awaited->device != held->stream->device)
    return call.host_fault(rule::one_device, "found " + name_of(*awaited) + " of another device");
  const std::int32_t status = call.run([&] { return held->real().stream_wait(held->stream->real, awaited->real); });
  if (call.answered() == TENON_OK) Ledger::instance().wait(held->stream, *awaited);
  return status;
}

/// An error is the work's: all of it is over even so.
std::int32_t stream_synchronize(tenon_stream* stream, std::uint64_t timeout_ns) {
  Call call("stream_synchronize");
  const auto held = hold(call, stream);
  if (!held) return Call::refused;
  const std::int32_t own = timeout_ns == TENON_FOREVER ? TENON_OK : TENON_PENDING;
  const std::int32_t status =
      call.run([&] { return held->real().stream_synchronize(held->stream->real, timeout_ns); }, own);
  if (call.answered() > TENON_OK) return status;
  Ledger::instance().complete_all(*held->stream);
  if (status != TENON_OK) return status;
  if (const auto damage = guard_damage(held->stream->device)) return call.plugin_fault(rule::own_memory, *damage);
  return TENON_OK;
}

std::int32_t stream_label(tenon_stream* stream, const char* text) {
  Call call("stream_label");
  const auto held = hold(call, stream);
  if (!held) return Call::refused;
  return call.run([&] { return held->real().stream_label(held->stream->real, text); });
}

// -- copies -------------------------------------------------------------------------------------------------

/// Notes what work uses, once it was accepted.
void note(const Held& held, const Call& call, const Place* to, const Place* from) {
  Ledger& ledger = Ledger::instance();
  const Work work = ledger.submit(held.stream);
  if (to != nullptr && to->memory != nullptr) ledger.use(*to->memory, work, call.slot(), true);
  if (from != nullptr && from->memory != nullptr) ledger.use(*from->memory, work, call.slot(), false);
}

std::int32_t copy(tenon_stream* stream, tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  Call call("copy");
  const auto held = hold(call, stream);
  if (!held) return Call::refused;
  const auto target = call.place(to, bytes, 1, held->device(), "to");
  const auto source = target ? call.place(from, bytes, 1, held->device(), "from") : std::nullopt;
  if (!source) return Call::refused;
  const std::int32_t status =
      call.run([&] { return held->real().copy(held->stream->real, target->real, source->real, bytes); });
  if (call.answered() == TENON_OK) note(*held, call, &*target, &*source);
  return status;
}

std::int32_t copy_in(tenon_stream* stream, tenon_ref to, const void* from, std::uint64_t bytes) {
  Call call("copy_in");
  const auto held = hold(call, stream);
  const auto target = held ? call.place(to, bytes, 1, held->device(), "to") : std::nullopt;
  if (!target || !call.has(from != nullptr || bytes == 0, "source")) return Call::refused;
  const std::int32_t status =
      call.run([&] { return held->real().copy_in(held->stream->real, target->real, from, bytes); });
  if (call.answered() == TENON_OK) note(*held, call, &*target, nullptr);
  return status;
}

std::int32_t copy_out(tenon_stream* stream, void* to, tenon_ref from, std::uint64_t bytes) {
  Call call("copy_out");
  const auto held = hold(call, stream);
  const auto source = held ? call.place(from, bytes, 1, held->device(), "from") : std::nullopt;
  if (!source || !call.has(to != nullptr || bytes == 0, "target")) return Call::refused;
  const std::int32_t status =
      call.run([&] { return held->real().copy_out(held->stream->real, to, source->real, bytes); });
  if (call.answered() == TENON_OK) note(*held, call, nullptr, &*source);
  return status;
}

std::int32_t copy_peer(tenon_stream* stream, tenon_device* to_device, tenon_ref to, tenon_device* from_device,
                       tenon_ref from, std::uint64_t bytes) {
  Call call("copy_peer");
  const auto held = hold(call, stream);
  const auto target_device = held ? call.find<DeviceRecord>(to_device) : nullptr;
  const auto source_device = target_device == nullptr ? nullptr : call.find<DeviceRecord>(from_device);
  if (source_device == nullptr) return Call::refused;
  const auto target = call.place(to, bytes, 1, *target_device, "to");
  const auto source = target ? call.place(from, bytes, 1, *source_device, "from") : std::nullopt;
  if (!source) return Call::refused;
  const std::int32_t status = call.run([&] {
    return held->real().copy_peer(held->stream->real, target_device->real, target->real, source_device->real,
                                  source->real, bytes);
  });
  if (call.answered() == TENON_OK) note(*held, call, &*target, &*source);
  return status;
}

std::int32_t fill(tenon_stream* stream, tenon_ref to, const void* pattern, std::uint32_t pattern_bytes,
                  std::uint64_t bytes) {
  Call call("fill");
  const auto held = hold(call, stream);
  const auto target = held ? call.place(to, bytes, 1, held->device(), "to") : std::nullopt;
  if (!target || !call.has(pattern != nullptr, "pattern")) return Call::refused;
  if (pattern_bytes == 0 || bytes % pattern_bytes != 0)
    return call.host_fault(rule::arguments, "found a pattern of " + std::to_string(pattern_bytes) + " bytes for " +
                                                std::to_string(bytes) + ", expected a whole number of them");
  const std::int32_t status =
      call.run([&] { return held->real().fill(held->stream->real, target->real, pattern, pattern_bytes, bytes); });
  if (call.answered() == TENON_OK) note(*held, call, &*target, nullptr);
  return status;
}

/// One after the other: the launches are checked ones.
std::int32_t submit(tenon_stream* stream, const tenon_launch* launches, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    const std::int32_t status = launches[i].launch(launches[i].kernel, launches[i].args, stream);
    if (status != TENON_OK) return status;
  }
  return TENON_OK;
}

}  // namespace

void put_stream_slots(tenon_devices& table) {
  table.stream_create = stream_create;
  table.stream_destroy = stream_destroy;
  table.stream_native = stream_native;
  table.stream_wait = stream_wait;
  table.stream_synchronize = stream_synchronize;
  table.stream_label = stream_label;
  table.copy = copy;
  table.copy_in = copy_in;
  table.copy_out = copy_out;
  table.copy_peer = copy_peer;
  table.fill = fill;
  table.submit = submit;
}

}  // namespace tenon::host
