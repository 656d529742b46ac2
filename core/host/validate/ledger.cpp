#include "ledger.h"

#include <dlfcn.h>
#include <execinfo.h>

#include <algorithm>
#include <filesystem>

#include "words.h"

namespace tenon::host {

const HandleWords& words_of(HandleKind kind) {
  static constexpr HandleWords all[] = {
      {"handle", "the plugin", "the plugin"},
      {"self", "initialize", "shutdown"},
      {"device", "open", "close"},
      {"stream", "stream_create", "stream_destroy"},
      {"event", "event_create", "event_destroy"},
      {"memory", "memory_alloc", "memory_free"},
      {"kernel", "prepare", "release"},
  };
  return all[static_cast<std::size_t>(kind)];
}

CallSite CallSite::here() {
  CallSite origin;
  origin.count_ = ::backtrace(origin.frames_.data(), static_cast<int>(origin.frames_.size()));
  return origin;
}

/// The first frames are the validator's own.
std::string CallSite::text() const {
  constexpr int own_frames = 4, shown_frames = 4;
  std::ostringstream out = classic_stream();
  for (int i = own_frames; i < std::min(count_, own_frames + shown_frames); ++i) {
    Dl_info found{};
    void* const frame = frames_[static_cast<std::size_t>(i)];
    if (::dladdr(frame, &found) == 0 || found.dli_fname == nullptr) break;
    const auto offset = static_cast<const char*>(frame) - static_cast<const char*>(found.dli_fbase);
    out << (i == own_frames ? "" : " < ") << std::filesystem::path(found.dli_fname).filename().string() << "+0x"
        << std::hex << offset;
  }
  return out.str();
}

Ledger& Ledger::instance() {
  static Ledger& instance = *new Ledger;
  return instance;
}

std::uint64_t Ledger::add(std::shared_ptr<Record> record) {
  const auto held = lock();
  record->id = given_.size();
  given_.push_back(record->kind);
  const std::uint64_t id = record->id;
  live_.emplace(id, std::move(record));
  return id;
}

std::shared_ptr<Record> Ledger::find(std::uint64_t id) {
  const auto held = lock();
  const auto found = live_.find(id);
  return found == live_.end() ? nullptr : found->second;
}

bool Ledger::remove(const Record& record) {
  const auto held = lock();
  return live_.erase(record.id) > 0;
}

HandleKind Ledger::kind_of(std::uint64_t id) {
  const auto held = lock();
  return id < given_.size() ? given_[id] : HandleKind::none;
}

namespace {

const DeviceRecord* device_of(const Record& record) {
  switch (record.kind) {
    case HandleKind::stream:
      return static_cast<const StreamRecord&>(record).device.get();
    case HandleKind::event:
      return static_cast<const EventRecord&>(record).device.get();
    case HandleKind::memory:
      return static_cast<const MemoryRecord&>(record).device.get();
    case HandleKind::kernel:
      return static_cast<const KernelRecord&>(record).device.get();
    default:
      return nullptr;
  }
}

}  // namespace

std::vector<std::shared_ptr<Record>> Ledger::left_on(const DeviceRecord& device) {
  const auto held = lock();
  std::vector<std::shared_ptr<Record>> left;
  for (const auto& [id, record] : live_)
    if (device_of(*record) == &device) left.push_back(record);
  return left;
}

std::vector<MemoryPointer> Ledger::written_memory(const DeviceRecord& device) {
  const auto held = lock();
  std::vector<MemoryPointer> written;
  for (const auto& [id, record] : live_) {
    if (record->kind != HandleKind::memory || device_of(*record) != &device) continue;
    auto memory = std::static_pointer_cast<MemoryRecord>(record);
    if (std::exchange(memory->written_since_look, false)) written.push_back(std::move(memory));
  }
  return written;
}

Work Ledger::submit(const StreamPointer& stream) {
  const auto held = lock();
  return {stream, ++stream->submitted};
}

void Ledger::use(std::vector<Work>& uses, const Work& work) {
  const auto held = lock();
  const auto known = std::ranges::find(uses, work.stream, &Work::stream);
  if (known == uses.end())
    uses.push_back(work);
  else
    known->at = std::max(known->at, work.at);
}

void Ledger::use(MemoryRecord& memory, const Work& work, const std::string& user, bool writes) {
  use(memory.uses, work);
  const auto held = lock();
  if (!writes) return;
  memory.last_user = user;
  memory.written_since_look = true;
}

void Ledger::wait(const StreamPointer& stream, const EventRecord& event) {
  const auto held = lock();
  stream->waits.push_back({++stream->submitted, event.recorded});
}

void Ledger::record(EventRecord& event, const StreamPointer& stream) {
  const auto held = lock();
  event.recorded = {stream, stream->submitted};
}

bool Ledger::is_recorded(const EventRecord& event) {
  const auto held = lock();
  return event.recorded.stream != nullptr;
}

void Ledger::complete_unlocked(StreamRecord& stream, std::uint64_t at) {
  if (at <= stream.completed) return;
  stream.completed = at;
  std::vector<StreamRecord::Wait> waits = std::exchange(stream.waits, {});
  for (StreamRecord::Wait& wait : waits) {
    if (wait.at <= at)
      complete_unlocked(*wait.for_work.stream, wait.for_work.at);
    else
      stream.waits.push_back(std::move(wait));
  }
}

void Ledger::complete_all(StreamRecord& stream) {
  const auto held = lock();
  complete_unlocked(stream, stream.submitted);
}

void Ledger::complete(const EventRecord& event) {
  const auto held = lock();
  complete_unlocked(*event.recorded.stream, event.recorded.at);
}

bool Ledger::is_pending(const std::vector<Work>& uses, const StreamRecord* except) {
  const auto held = lock();
  return std::ranges::any_of(
      uses, [&](const Work& work) { return work.stream.get() != except && work.stream->completed < work.at; });
}

std::vector<StreamPointer> Ledger::busy_streams(const std::vector<Work>& uses) {
  const auto held = lock();
  std::vector<StreamPointer> busy;
  for (const Work& work : uses)
    if (work.stream->completed < work.at) busy.push_back(work.stream);
  return busy;
}

std::string Ledger::last_user(const MemoryRecord& memory) {
  const auto held = lock();
  return memory.last_user;
}

void wait_for(const std::vector<StreamPointer>& streams) {
  for (const StreamPointer& stream : streams) stream->plugin->real.stream_synchronize(stream->real, TENON_FOREVER);
}

CapsuleRecord& Ledger::add_capsule(const tenon_capsule* checking, const ValidatedPlugin& plugin) {
  const auto held = lock();
  return capsules_.insert_or_assign(checking, CapsuleRecord{*checking, &plugin}).first->second;
}

CapsuleRecord* Ledger::find_capsule(const tenon_capsule* checking) {
  const auto held = lock();
  const auto found = capsules_.find(checking);
  return found == capsules_.end() ? nullptr : &found->second;
}

}  // namespace tenon::host
