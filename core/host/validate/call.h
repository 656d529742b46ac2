// call.h: one call from the host to a plugin that is being checked: handles, places, callers, and what it answers.
//
// Lives on the stack of a checking slot. The first thing that is wrong refuses the call. One thread.
#pragma once
#include <optional>

#include "faults.h"
#include "ledger.h"
#include "tenon/fp_environment.h"

namespace tenon::host {

/// The rules that faults name: each text stands here only.
namespace rule {
inline constexpr std::string_view handles =
    "a handle is used from the call that gives it to the call that takes it back";
inline constexpr std::string_view bounds = "a place lies within its memory";
inline constexpr std::string_view alignment = "a tensor lies where its signature says: alignment_bytes";
inline constexpr std::string_view one_device = "memory, streams and kernels of one call belong to one device";
inline constexpr std::string_view callers = "S: one caller per stream, D: one caller per device";
inline constexpr std::string_view last_use = "memory is freed and a kernel released after the last use has completed";
inline constexpr std::string_view closing = "close: everything made on the device was destroyed before";
inline constexpr std::string_view recorded = "an event is waited for after it was recorded";
inline constexpr std::string_view arguments = "what a call is given is complete";
inline constexpr std::string_view aliases = "an output has an operand's place only where prepare granted that";
inline constexpr std::string_view reentrant = "a kernel runs on one stream at a time unless it has the trait REENTRANT";
inline constexpr std::string_view status =
    "a call answers TENON_OK, one of its own positive statuses or a negative error";
inline constexpr std::string_view outputs = "a call that answers TENON_OK has filled its outputs";
inline constexpr std::string_view own_memory = "a capsule writes its outputs and its workspace and nothing else";
inline constexpr std::string_view environment = "a plugin leaves the floating-point environment as it was";
}  // namespace rule

/// Keeps an S or D slot for one caller.
class Occupied {
 public:
  explicit Occupied(Occupancy* place) : place_(place) {}
  Occupied(Occupied&& other) noexcept : place_(std::exchange(other.place_, nullptr)) {}
  Occupied& operator=(Occupied&&) = delete;
  ~Occupied() {
    if (place_ != nullptr) place_->slot = nullptr;
  }

 private:
  Occupancy* place_;
};

/// A place in memory in the plugin's own terms.
struct Place {
  MemoryPointer memory;  // null: of no bytes
  tenon_ref real{};
  std::uint64_t offset_bytes = 0, bytes = 0;
};

class Call {
 public:
  /// Whether somebody reads what the call answers: else its faults go to the log.
  enum class Answer : std::uint8_t { read, unread };
  explicit Call(const char* slot, Answer answer = Answer::read) : slot_(slot), answer_(answer) {}

  static constexpr std::int32_t refused = status_validation_failed;
  std::int32_t host_fault(std::string_view rule, std::string what) const;
  std::int32_t plugin_fault(std::string_view rule, std::string what) const;

  /// The record behind a handle; null if it is refused.
  template <class R>
  std::shared_ptr<R> find(const void* handle) {
    return std::static_pointer_cast<R>(find(R::kind_of, handle != nullptr, id_of(handle), handle));
  }
  MemoryPointer memory(std::uint64_t handle) {
    return std::static_pointer_cast<MemoryRecord>(
        find(HandleKind::memory, handle != 0, handle, reinterpret_cast<const void*>(handle)));
  }
  /// Nothing if somebody else is there.
  std::optional<Occupied> occupy(Occupancy& place, const Record& whose);
  /// Nothing if it is refused. `role`: "to", "output 0".
  std::optional<Place> place(tenon_ref ref, std::uint64_t bytes, std::uint64_t alignment_bytes,
                             const DeviceRecord& device, std::string_view role);
  bool has(bool given, std::string_view what);

  /// Calls the plugin. `own_status`: a positive status that this call may answer, beside UNIMPLEMENTED.
  template <class F>
  std::int32_t run(F call, std::int32_t own_status = TENON_OK) {
    const bool was_strict = fp_environment_is_strict();
    answered_ = call();
    const std::optional<Fault> fault = fault_of_answer(own_status, was_strict);
    return fault ? tell(*fault) : answered_;
  }
  /// Calls the plugin for something that is its caller's from then on. `form` tells what is wrong with it; what is
  /// refused is nobody's and goes to `take_back`, before the fault is told so that the last words are the fault's.
  template <class F, class Form, class Back>
  std::int32_t run_giving(F call, Form form, Back take_back) {
    const bool was_strict = fp_environment_is_strict();
    answered_ = call();
    std::optional<Fault> fault = fault_of_answer(TENON_OK, was_strict);
    if (!fault && answered_ == TENON_OK) fault = form();
    if (!fault) return answered_;
    if (answered_ == TENON_OK) take_back();
    if (was_strict) set_fp_environment();
    return tell(*fault);
  }
  /// The plugin's own status of the last call, which a fault may have replaced.
  std::int32_t answered() const { return answered_; }

  void speak_for(const ValidatedPlugin& plugin) { plugin_ = &plugin; }
  const char* slot() const { return slot_; }
  std::string_view plugin_name() const;

 private:
  std::shared_ptr<Record> find(HandleKind kind, bool given, std::uint64_t id, const void* raw);
  std::optional<Fault> fault_of_answer(std::int32_t own_status, bool was_strict) const;
  std::int32_t tell(const Fault& fault) const;

  const char* slot_;
  Answer answer_;
  const ValidatedPlugin* plugin_ = nullptr;
  std::int32_t answered_ = TENON_OK;
};

/// A form for run_giving(): there must be a handle.
std::optional<Fault> none_given(const void* handle, HandleKind kind);

/// "memory 7".
std::string name_of(const Record& record);

}  // namespace tenon::host
