#include "call.h"

#include "words.h"

namespace tenon::host {
namespace {

/// Why a number is no handle of this kind.
std::string misfit(HandleKind kind, bool given, std::uint64_t id, const void* raw) {
  const HandleWords& wanted = words_of(kind);
  const std::string expected = text(", expected one that ", wanted.giver, " gave");
  if (!given) return text("found no ", wanted.name, " (null)", expected);
  const HandleKind was = Ledger::instance().kind_of(id);
  if (was == HandleKind::none) return text("found ", raw, ", which is no ", wanted.name, " of any plugin", expected);
  if (was != kind) return text("found ", words_of(was).name, " ", id, " for a ", wanted.name, expected);
  return text("found ", wanted.name, " ", id, ", which ", wanted.taker, " took back, expected one that lives");
}

}  // namespace

std::string name_of(const Record& record) { return text(words_of(record.kind).name, " ", record.id); }

std::string_view Call::plugin_name() const { return plugin_ == nullptr ? std::string_view() : plugin_->name; }

std::int32_t Call::host_fault(std::string_view rule, std::string what) const {
  return tell({Culprit::host, rule, std::move(what)});
}

std::int32_t Call::plugin_fault(std::string_view rule, std::string what) const {
  return tell({Culprit::plugin, rule, std::move(what)});
}

std::int32_t Call::tell(const Fault& fault) const {
  if (answer_ == Answer::read) return refuse(slot_, plugin_name(), fault);
  tell_log(slot_, plugin_name(), fault);
  return refused;
}

std::shared_ptr<Record> Call::find(HandleKind kind, bool given, std::uint64_t id, const void* raw) {
  auto found = id == 0 ? nullptr : Ledger::instance().find(id);
  if (found != nullptr && found->kind == kind) {
    if (plugin_ == nullptr) plugin_ = found->plugin;
    return found;
  }
  host_fault(rule::handles, misfit(kind, given, id, raw));
  return nullptr;
}

std::optional<Occupied> Call::occupy(Occupancy& place, const Record& whose) {
  const char* other = nullptr;
  if (place.slot.compare_exchange_strong(other, slot_)) return Occupied(&place);
  host_fault(rule::callers,
             text("found ", name_of(whose), " in use by ", other, " on another thread, expected nobody"));
  return std::nullopt;
}

bool Call::has(bool given, std::string_view what) {
  if (!given) host_fault(rule::arguments, text("found no ", what, " (null), expected one"));
  return given;
}

std::optional<Place> Call::place(tenon_ref ref, std::uint64_t bytes, std::uint64_t alignment_bytes,
                                 const DeviceRecord& device, std::string_view role) {
  if (bytes == 0) return Place{};
  const MemoryPointer found = memory(ref.memory);
  if (found == nullptr) return std::nullopt;
  const auto refuse_place = [&](std::string_view broken, const std::string& what) {
    host_fault(broken, text(role, ": found ", what));
    return std::nullopt;
  };
  if (found->device.get() != &device)
    return refuse_place(rule::one_device,
                        text(name_of(*found), " of ", name_of(*found->device), ", expected one of ", name_of(device)));
  if (ref.offset_bytes > found->bytes || bytes > found->bytes - ref.offset_bytes)
    return refuse_place(rule::bounds, text("bytes ", ref.offset_bytes, " to ", ref.offset_bytes + bytes, " of ",
                                           name_of(*found), ", expected at most its ", found->bytes));
  if (alignment_bytes > 1 && ref.offset_bytes % alignment_bytes != 0)
    return refuse_place(rule::alignment, text("offset ", ref.offset_bytes, " in ", name_of(*found),
                                              ", expected a multiple of ", alignment_bytes));
  return Place{found, {found->real, ref.offset_bytes + found->guard_bytes}, ref.offset_bytes, bytes};
}

std::optional<Fault> Call::fault_of_answer(std::int32_t own_status, bool was_strict) const {
  if (was_strict && !fp_environment_is_strict()) {
    set_fp_environment();
    return Fault{Culprit::plugin, rule::environment,
                 "found it changed after the call (rounding or flush-to-zero), expected no change; it was set back"};
  }
  if (answered_ <= TENON_OK || answered_ == own_status || answered_ == TENON_UNIMPLEMENTED) return std::nullopt;
  return Fault{Culprit::plugin, rule::status, text("found the status ", answered_, ", expected none like that")};
}

std::optional<Fault> none_given(const void* handle, HandleKind kind) {
  if (handle != nullptr) return std::nullopt;
  return Fault{Culprit::plugin, rule::outputs, text("found no ", words_of(kind).name, " (null), expected one")};
}

}  // namespace tenon::host
