#include "call.h"
#include "slots.h"

namespace tenon::host {
namespace {

std::int32_t event_create(tenon_device* device, std::uint32_t flags, tenon_event** event) {
  Call call("event_create");
  const auto owner = call.find<DeviceRecord>(device);
  if (owner == nullptr || !call.has(event != nullptr, "place for the event")) return Call::refused;
  auto record = std::make_shared<EventRecord>(owner->plugin, owner);
  const std::int32_t status =
      call.run_giving([&] { return owner->plugin->real.event_create(owner->real, flags, &record->real); },
                      [&] { return none_given(record->real, HandleKind::event); },
                      [&] {
                        if (record->real != nullptr) owner->plugin->real.event_destroy(record->real);
                      });
  if (status != TENON_OK) return status;
  *event = handle_of<tenon_event>(Ledger::instance().add(std::move(record)));
  return TENON_OK;
}

std::int32_t event_destroy(tenon_event* event) {
  Call call("event_destroy", Call::Answer::unread);
  const auto record = call.find<EventRecord>(event);
  if (record == nullptr) return Call::refused;
  Ledger::instance().remove(*record);
  return call.run([&] { return record->plugin->real.event_destroy(record->real); });
}

std::int32_t event_record(tenon_event* event, tenon_stream* stream) {
  Call call("event_record");
  const auto record = call.find<EventRecord>(event);
  const auto on = record == nullptr ? nullptr : call.find<StreamRecord>(stream);
  if (on == nullptr) return Call::refused;
  const auto occupied = call.occupy(on->occupancy, *on);
  if (!occupied) return Call::refused;
  if (record->device != on->device)
    return call.host_fault(rule::one_device, "found " + name_of(*record) + " of another device");
  const std::int32_t status = call.run([&] { return record->plugin->real.event_record(record->real, on->real); });
  if (call.answered() == TENON_OK) Ledger::instance().record(*record, on);
  return status;
}

/// An event that was recorded; null if it is refused.
EventPointer recorded(Call& call, tenon_event* event) {
  auto record = call.find<EventRecord>(event);
  if (record == nullptr || Ledger::instance().is_recorded(*record)) return record;
  call.host_fault(rule::recorded, "found " + name_of(*record) + ", which was never recorded");
  return nullptr;
}

/// The work before a recording is over, whether it failed or not.
std::int32_t over(const EventRecord& event, const Call& call, std::int32_t status) {
  if (call.answered() <= TENON_OK) Ledger::instance().complete(event);
  return status;
}

std::int32_t event_query(tenon_event* event) {
  Call call("event_query");
  const auto record = recorded(call, event);
  if (record == nullptr) return Call::refused;
  const std::int32_t status = call.run([&] { return record->plugin->real.event_query(record->real); }, TENON_PENDING);
  return over(*record, call, status);
}

std::int32_t event_wait(tenon_event* event, std::uint64_t timeout_ns) {
  Call call("event_wait");
  const auto record = recorded(call, event);
  if (record == nullptr) return Call::refused;
  const std::int32_t own = timeout_ns == TENON_FOREVER ? TENON_OK : TENON_PENDING;
  const std::int32_t status = call.run([&] { return record->plugin->real.event_wait(record->real, timeout_ns); }, own);
  return over(*record, call, status);
}

std::int32_t event_error(tenon_event* event, tenon_text* text) {
  Call call("event_error");
  const auto record = call.find<EventRecord>(event);
  if (record == nullptr || !call.has(text != nullptr, "text")) return Call::refused;
  const std::int32_t status = call.run([&] { return record->plugin->real.event_error(record->real, text); });
  if (status == TENON_OK && text->length > text->capacity)
    return call.plugin_fault(rule::bounds, "found a text of " + std::to_string(text->length) + " bytes in a place of " +
                                               std::to_string(text->capacity));
  return status;
}

std::int32_t event_elapsed_ns(tenon_event* from, tenon_event* to, std::uint64_t* nanoseconds) {
  Call call("event_elapsed_ns");
  const auto first = recorded(call, from);
  const auto second = first == nullptr ? nullptr : recorded(call, to);
  if (second == nullptr || !call.has(nanoseconds != nullptr, "place for the time")) return Call::refused;
  return call.run([&] { return first->plugin->real.event_elapsed_ns(first->real, second->real, nanoseconds); });
}

}  // namespace

void put_event_slots(tenon_devices& table) {
  table.event_create = event_create;
  table.event_destroy = event_destroy;
  table.event_record = event_record;
  table.event_query = event_query;
  table.event_wait = event_wait;
  table.event_error = event_error;
  table.event_elapsed_ns = event_elapsed_ns;
}

}  // namespace tenon::host
