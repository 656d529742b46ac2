// ledger.h: every handle that plugins gave, what is known of it, and what was done with it.
//
// The host is given numbers in their place, so that a handle that is foreign, of another kind or given back is told
// from one that lives, whatever addresses a plugin uses again. Process-wide, since kernels of one plugin work on
// another's device; never destroyed. Any thread may call; what stands below "guarded" is read and written under
// Ledger::lock().
#pragma once
#include <array>
#include <atomic>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include "tenon/plugin.h"

namespace tenon::host {

enum class HandleKind : std::uint8_t { none, plugin, device, stream, event, memory, kernel };

/// "stream", and which calls give one and take it back.
struct HandleWords {
  const char *name, *giver, *taker;
};
const HandleWords& words_of(HandleKind kind);

/// What is told from one caller to the next: S and D slots have one at a time.
struct Occupancy {
  std::atomic<const char*> slot{nullptr};  // the one that is being called
};

/// Which code asked for something: addresses as `addr2line` reads them.
class CallSite {
 public:
  static CallSite here();
  std::string text() const;  // "libtenon.so+0x1234 < tenon+0x567"

 private:
  std::array<void*, 10> frames_{};
  int count_ = 0;
};

struct ValidatedPlugin;

struct Record {
  explicit Record(HandleKind its_kind, const ValidatedPlugin* its_plugin) : kind(its_kind), plugin(its_plugin) {}
  virtual ~Record() = default;
  const HandleKind kind;
  const ValidatedPlugin* plugin;
  std::uint64_t id = 0;
  CallSite origin = CallSite::here();
};

/// A loaded plugin: its own tables.
struct ValidatedPlugin final : Record {
  static constexpr HandleKind kind_of = HandleKind::plugin;
  ValidatedPlugin() : Record(kind_of, this) {}
  std::string name;
  tenon_devices real{};
  void* self = nullptr;
};

struct DeviceRecord final : Record {
  static constexpr HandleKind kind_of = HandleKind::device;
  explicit DeviceRecord(const ValidatedPlugin* its_plugin) : Record(kind_of, its_plugin) {}
  tenon_device* real = nullptr;
  Occupancy occupancy;
  std::mutex guards;                     // one at a time looks at guard zones
  tenon_stream* guard_stream = nullptr;  // the validator's own
};
using DevicePointer = std::shared_ptr<DeviceRecord>;

struct StreamRecord;
/// Work of a stream: its `at`-th piece.
struct Work {
  std::shared_ptr<StreamRecord> stream;
  std::uint64_t at = 0;
};

struct StreamRecord final : Record {
  static constexpr HandleKind kind_of = HandleKind::stream;
  StreamRecord(const ValidatedPlugin* its_plugin, DevicePointer its_device)
      : Record(kind_of, its_plugin), device(std::move(its_device)) {}
  DevicePointer device;
  tenon_stream* real = nullptr;
  Occupancy occupancy;
  // guarded:
  std::uint64_t submitted = 0, completed = 0;
  struct Wait {
    std::uint64_t at;
    Work for_work;
  };
  std::vector<Wait> waits;
};
using StreamPointer = std::shared_ptr<StreamRecord>;

struct EventRecord final : Record {
  static constexpr HandleKind kind_of = HandleKind::event;
  EventRecord(const ValidatedPlugin* its_plugin, DevicePointer its_device)
      : Record(kind_of, its_plugin), device(std::move(its_device)) {}
  DevicePointer device;
  tenon_event* real = nullptr;
  Work recorded;  // guarded; without a stream: never
};
using EventPointer = std::shared_ptr<EventRecord>;

struct MemoryRecord final : Record {
  static constexpr HandleKind kind_of = HandleKind::memory;
  MemoryRecord(const ValidatedPlugin* its_plugin, DevicePointer its_device)
      : Record(kind_of, its_plugin), device(std::move(its_device)) {}
  DevicePointer device;
  std::uint64_t real = 0, bytes = 0;
  std::uint64_t guard_bytes = 0;  // before and behind
  std::byte* host = nullptr;      // the first byte of the host's own, if it may look
  // guarded:
  std::vector<Work> uses;  // the last of each stream
  std::string last_user;   // "copy_in", "capsule cpu.reference.add.f32"
  bool written_since_look = false;
};
using MemoryPointer = std::shared_ptr<MemoryRecord>;

struct CapsuleRecord;
struct KernelRecord final : Record {
  static constexpr HandleKind kind_of = HandleKind::kernel;
  KernelRecord(const ValidatedPlugin* its_plugin, const CapsuleRecord& its_capsule)
      : Record(kind_of, its_plugin), capsule(its_capsule) {}
  const CapsuleRecord& capsule;
  DevicePointer device;  // null: prepared for any
  void* real = nullptr;
  struct Tensor {
    std::uint64_t bytes;
    std::uint32_t alignment_bytes;
    bool is_output, is_written;         // an operand is written where its signature says so: TENON_TENSOR_MUTABLE
    std::string role;                   // "output 0"
    std::vector<std::size_t> in_place;  // the arguments whose place it may have
  };
  std::vector<Tensor> tensors;  // as in the arguments
  std::uint32_t scalar_count = 0;
  std::uint64_t workspace_bytes = 0;
  std::uint32_t workspace_alignment_bytes = 1;
  std::vector<Work> uses;  // guarded
};
using KernelPointer = std::shared_ptr<KernelRecord>;

/// A capsule as the plugin wrote it, behind the checking one.
struct CapsuleRecord {
  tenon_capsule real;
  const ValidatedPlugin* plugin;
};

class Ledger {
 public:
  static Ledger& instance();

  std::unique_lock<std::mutex> lock() { return std::unique_lock(mutex_); }

  /// The number that the host is given.
  std::uint64_t add(std::shared_ptr<Record> record);
  std::shared_ptr<Record> find(std::uint64_t id);
  /// False if it was removed before.
  bool remove(const Record& record);
  /// What the number stands for or stood for.
  HandleKind kind_of(std::uint64_t id);

  /// Memory, streams, events and kernels of a device that live.
  std::vector<std::shared_ptr<Record>> left_on(const DeviceRecord& device);
  /// Memory that was written since this was last asked.
  std::vector<MemoryPointer> written_memory(const DeviceRecord& device);

  /// One more piece of work; what it uses.
  Work submit(const StreamPointer& stream);
  void use(std::vector<Work>& uses, const Work& work);
  void use(MemoryRecord& memory, const Work& work, const std::string& user, bool writes);
  /// What `stream` does from now on comes after what the event was recorded behind.
  void wait(const StreamPointer& stream, const EventRecord& event);
  void record(EventRecord& event, const StreamPointer& stream);
  bool is_recorded(const EventRecord& event);
  /// Everything up to there is done, and so is what it waited for.
  void complete(const EventRecord& event);
  /// The same for everything that the stream was given so far.
  void complete_all(StreamRecord& stream);
  /// Work that nobody has waited for; on other streams than `except`, which may be null.
  bool is_pending(const std::vector<Work>& uses, const StreamRecord* except = nullptr);
  /// The streams of such work, all of which live: a stream that was destroyed has nothing under way.
  std::vector<StreamPointer> busy_streams(const std::vector<Work>& uses);
  std::string last_user(const MemoryRecord& memory);

  CapsuleRecord& add_capsule(const tenon_capsule* checking, const ValidatedPlugin& plugin);
  CapsuleRecord* find_capsule(const tenon_capsule* checking);

 private:
  static void complete_unlocked(StreamRecord& stream, std::uint64_t at);

  std::mutex mutex_;
  std::map<std::uint64_t, std::shared_ptr<Record>> live_;
  std::vector<HandleKind> given_{HandleKind::none};  // by number
  std::map<const tenon_capsule*, CapsuleRecord> capsules_;
};

/// Waits on plugins' own streams: for work that is found under way when what it uses is given back.
void wait_for(const std::vector<StreamPointer>& streams);

/// Numbers as the pointers that the ABI wants.
inline constexpr std::uint64_t handle_step = 16;
template <class Handle>
Handle* handle_of(std::uint64_t id) {
  return reinterpret_cast<Handle*>(static_cast<std::uintptr_t>(id * handle_step));
}
inline std::uint64_t id_of(const void* handle) {
  const auto value = reinterpret_cast<std::uintptr_t>(handle);
  return value % handle_step == 0 ? value / handle_step : 0;
}

}  // namespace tenon::host
