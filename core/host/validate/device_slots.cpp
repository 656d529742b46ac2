#include <algorithm>
#include <limits>

#include "call.h"
#include "guards.h"
#include "slots.h"
#include "tenon/loaded_plugin.h"
#include "tenon/text.h"

namespace tenon::host {
namespace {

std::int32_t enumerate(void* self, tenon_device_sink* sink, void* context) {
  Call call("enumerate");
  const auto plugin = call.find<ValidatedPlugin>(self);
  if (plugin == nullptr || !call.has(sink != nullptr, "sink")) return Call::refused;
  return call.run([&] { return plugin->real.enumerate(plugin->self, sink, context); });
}

std::int32_t open(void* self, std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* options,
                  std::uint32_t option_count, tenon_device** device) {
  Call call("open");
  const auto plugin = call.find<ValidatedPlugin>(self);
  if (plugin == nullptr || !call.has(device != nullptr, "place for the device")) return Call::refused;
  auto record = std::make_shared<DeviceRecord>(plugin.get());
  const std::int32_t status = call.run_giving(
      [&] { return plugin->real.open(plugin->self, ordinal, cookie, options, option_count, &record->real); },
      [&] { return none_given(record->real, HandleKind::device); },
      [&] {
        if (record->real != nullptr) plugin->real.close(record->real);
      });
  if (status != TENON_OK) return status;
  *device = handle_of<tenon_device>(Ledger::instance().add(std::move(record)));
  return TENON_OK;
}

/// "memory 7 of 4096 bytes, from libtenon.so+0x1234"
std::string left_text(const Record& record) {
  std::string out = name_of(record);
  if (record.kind == HandleKind::memory)
    out += " of " + std::to_string(static_cast<const MemoryRecord&>(record).bytes) + " bytes";
  if (record.kind == HandleKind::kernel)
    out += std::string(" of ") + static_cast<const KernelRecord&>(record).capsule.real.name;
  return out + ", asked for by " + record.origin.text();
}

std::string left_texts(const std::vector<std::shared_ptr<Record>>& left) {
  constexpr std::size_t most_named = 4;
  std::vector<std::string> texts;
  for (const auto& record : left) texts.push_back(left_text(*record));
  return "found " + std::to_string(left.size()) + " alive, expected nothing: " + listed(texts, most_named, "; ");
}

std::int32_t close(tenon_device* device) {
  Call call("close", Call::Answer::unread);
  const auto record = call.find<DeviceRecord>(device);
  if (record == nullptr) return Call::refused;
  const auto occupied = call.occupy(record->occupancy, *record);
  if (!occupied) return Call::refused;
  Ledger& ledger = Ledger::instance();
  const auto left = ledger.left_on(*record);
  if (!left.empty()) call.host_fault(rule::closing, left_texts(left));
  drop_guard_stream(*record);
  const std::int32_t status = call.run([&] { return record->plugin->real.close(record->real); });
  for (const auto& lost : left) ledger.remove(*lost);
  ledger.remove(*record);
  return left.empty() ? status : Call::refused;
}

// -- memory -------------------------------------------------------------------------------------------------

std::optional<Fault> misgiven(const MemoryRecord& record, const tenon_memory& memory, std::uint64_t alignment) {
  const std::uint64_t least_bytes = record.bytes + 2 * record.guard_bytes;
  const auto fault = [](std::string_view rule, std::string what) {
    return Fault{Culprit::plugin, rule, std::move(what)};
  };
  if (memory.memory == 0) return fault(rule::outputs, "found memory without a handle (0), expected one");
  if (memory.bytes != 0 && memory.bytes < least_bytes)
    return fault(rule::outputs,
                 "found memory of " + std::to_string(memory.bytes) + " bytes, expected " + std::to_string(least_bytes));
  if (alignment > 1 && reinterpret_cast<std::uintptr_t>(memory.host) % alignment != 0)
    return fault(rule::alignment, "found memory that is not aligned to " + std::to_string(alignment) + " bytes");
  return std::nullopt;
}

/// Asks `give` for memory of the record's device.
template <class Give>
std::int32_t run_giving_memory(Call& call, const MemoryRecord& record, std::uint64_t alignment, tenon_memory& memory,
                               Give give) {
  return call.run_giving(
      give, [&] { return misgiven(record, memory, alignment); },
      [&] {
        if (memory.memory != 0) record.plugin->real.memory_free(record.device->real, memory.memory);
      });
}

/// Whether there is a number for what memory with guards takes.
bool can_have_guards(std::uint64_t bytes, std::uint64_t guard) {
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  return guard <= most / 2 && bytes <= most - 2 * guard;
}

/// With guards, or without where the device has no room for them.
std::int32_t allocate(Call& call, MemoryRecord& record, std::uint64_t bytes, std::uint64_t alignment,
                      std::uint32_t kind, tenon_memory& memory) {
  const tenon_devices& real = record.plugin->real;
  const std::uint64_t guard = guard_bytes(alignment);
  const auto ask = [&](std::uint64_t guards) {
    memory = {};
    memory.size = sizeof memory;
    record.guard_bytes = guards;
    return run_giving_memory(call, record, alignment, memory, [&] {
      return real.memory_alloc(record.device->real, bytes + 2 * guards, alignment, kind, &memory);
    });
  };
  if (!can_have_guards(bytes, guard)) return ask(0);
  const std::int32_t status = ask(guard);
  if (status != TENON_ERROR_OUT_OF_MEMORY) return status;
  clear_plugin_error();  // it spoke of the guards, too
  return ask(0);
}

std::int32_t memory_alloc(tenon_device* device, std::uint64_t bytes, std::uint64_t alignment, std::uint32_t kind,
                          tenon_memory* memory) {
  Call call("memory_alloc");
  const auto owner = call.find<DeviceRecord>(device);
  if (owner == nullptr || !call.has(memory != nullptr, "place for the memory")) return Call::refused;
  auto record = std::make_shared<MemoryRecord>(owner->plugin, owner);
  record->bytes = bytes;
  if (const std::int32_t status = allocate(call, *record, bytes, alignment, kind, *memory); status != TENON_OK)
    return status;
  record->real = memory->memory;
  if (memory->host != nullptr) record->host = static_cast<std::byte*>(memory->host) + record->guard_bytes;
  if (record->guard_bytes > 0) paint_guards(*record);
  memory->bytes = bytes;
  memory->host = record->host;
  memory->memory = Ledger::instance().add(std::move(record));
  return TENON_OK;
}

std::int32_t memory_free(tenon_device* device, std::uint64_t memory) {
  Call call("memory_free", Call::Answer::unread);
  const auto owner = call.find<DeviceRecord>(device);
  const auto record = owner == nullptr ? nullptr : call.memory(memory);
  if (record == nullptr) return Call::refused;
  Ledger& ledger = Ledger::instance();
  if (record->device != owner)
    call.host_fault(rule::one_device, "found " + name_of(*record) + " of another device, expected one of its own");
  if (const auto busy = ledger.busy_streams(record->uses); !busy.empty()) {
    const std::string user = ledger.last_user(*record);
    call.host_fault(rule::last_use, "found work under way that uses " + name_of(*record) + " (" +
                                        (user.empty() ? "a copy" : user) + "), expected that it was waited for");
    wait_for(busy);
  }
  if (const auto damage = guard_damage(*record)) call.plugin_fault(rule::own_memory, *damage);
  const std::lock_guard held(record->device->guards);  // nobody looks at its guards meanwhile, nor afterwards
  if (!ledger.remove(*record)) return call.memory(memory), Call::refused;
  return call.run([&] { return record->plugin->real.memory_free(record->device->real, record->real); });
}

std::int32_t memory_import(tenon_device* device, std::uint32_t kind, void* object, std::uint64_t bytes,
                           tenon_memory* memory) {
  Call call("memory_import");
  const auto owner = call.find<DeviceRecord>(device);
  if (owner == nullptr || !call.has(memory != nullptr, "place for the memory")) return Call::refused;
  auto record = std::make_shared<MemoryRecord>(owner->plugin, owner);
  record->bytes = bytes;
  const std::int32_t status = run_giving_memory(call, *record, 1, *memory, [&] {
    return owner->plugin->real.memory_import(owner->real, kind, object, bytes, memory);
  });
  if (status != TENON_OK) return status;
  record->real = memory->memory;
  record->host = static_cast<std::byte*>(memory->host);
  memory->memory = Ledger::instance().add(std::move(record));
  return TENON_OK;
}

std::int32_t memory_export(tenon_device* device, std::uint64_t memory, std::uint32_t kind, void** object) {
  Call call("memory_export");
  const auto owner = call.find<DeviceRecord>(device);
  const auto record = owner == nullptr ? nullptr : call.memory(memory);
  if (record == nullptr) return Call::refused;
  return call.run([&] { return owner->plugin->real.memory_export(owner->real, record->real, kind, object); });
}

std::int32_t memory_info(tenon_device* device, std::uint64_t* free_bytes, std::uint64_t* total_bytes) {
  Call call("memory_info");
  const auto owner = call.find<DeviceRecord>(device);
  if (owner == nullptr || !call.has(free_bytes != nullptr && total_bytes != nullptr, "place for the numbers"))
    return Call::refused;
  return call.run([&] { return owner->plugin->real.memory_info(owner->real, free_bytes, total_bytes); });
}

std::int32_t memory_trim(tenon_device* device) {
  Call call("memory_trim");
  const auto owner = call.find<DeviceRecord>(device);
  if (owner == nullptr) return Call::refused;
  return call.run([&] { return owner->plugin->real.memory_trim(owner->real); });
}

}  // namespace

void put_device_slots(tenon_devices& table) {
  table.enumerate = enumerate;
  table.open = open;
  table.close = close;
  table.memory_alloc = memory_alloc;
  table.memory_free = memory_free;
  table.memory_import = memory_import;
  table.memory_export = memory_export;
  table.memory_info = memory_info;
  table.memory_trim = memory_trim;
}

}  // namespace tenon::host
