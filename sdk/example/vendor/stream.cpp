#include "stream.h"

#include <cstring>

#include "memory.h"
#include "tenon/plugin.hpp"

namespace acme {

using tenon::plugin::from_handle;
using tenon::plugin::KernelError;
using tenon::plugin::refuse;
using tenon::plugin::text;

// A new thread begins with the floating-point environment of the one that made it: the host's.
// It comes last: while it runs, nothing may fail.
Stream::Stream(Roster<Stream>& open_streams) : open_streams_(open_streams) {
  open_streams_.add(*this);
  try {
    worker_ = std::thread([this] { work(); });
  } catch (...) {
    open_streams_.remove(*this);
    throw;
  }
}

Stream::~Stream() {
  open_streams_.remove(*this);
  commands_.push(Stop{});  // what was queued before it is done first
  worker_.join();
}

// -- the caller's side --------------------------------------------------------------------------------------

void Stream::copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  submit(Copy{checked_place(to, bytes, "copy"), checked_place(from, bytes, "copy"), bytes});
}

// The host keeps its own memory alive until an event says that the copy is done.
void Stream::copy_in(tenon_ref to, const void* from, std::uint64_t bytes) {
  submit(Copy{checked_place(to, bytes, "copy_in"), static_cast<const std::byte*>(from), bytes});
}

void Stream::copy_out(void* to, tenon_ref from, std::uint64_t bytes) {
  submit(Copy{static_cast<std::byte*>(to), checked_place(from, bytes, "copy_out"), bytes});
}

void Stream::fill(tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes) {
  if (pattern_bytes == 0 || pattern_bytes > Fill::max_pattern_bytes || bytes % pattern_bytes != 0) {
    refuse("[fill] ", bytes, " bytes by a pattern of ", pattern_bytes, ": expected a whole number of patterns of 1 to ",
           Fill::max_pattern_bytes, " bytes");
  }
  Fill fill{checked_place(to, bytes, "fill"), {}, pattern_bytes, bytes};
  std::memcpy(fill.pattern.data(), pattern, pattern_bytes);
  submit(fill);
}

void Stream::wait(tenon_event* event) {
  auto completion = from_handle<Event>(event).latest();
  if (completion != nullptr) submit(Wait{std::move(completion)});
}

std::int32_t Stream::synchronize(std::uint64_t timeout_ns) {
  if (last_ == nullptr) record(std::make_shared<Completion>());
  if (!last_->wait(timeout_ns)) return TENON_PENDING;
  const Result failure = std::exchange(failure_, {});  // heard of, so the next work may run
  if (failure.status != TENON_OK) throw KernelError(failure.status, failure.words);
  return TENON_OK;
}

void Stream::drain() {
  const auto completion = std::make_shared<Completion>();
  record(completion);
  completion->wait(TENON_FOREVER);
}

// -- the worker's side --------------------------------------------------------------------------------------

void Stream::work() {
  for (;;) {
    const Command command = commands_.pop();
    if (std::holds_alternative<Stop>(command)) return;
    // Events and what waits for them go on after a failure; everything else would build on what failed.
    const bool must_run = std::holds_alternative<Record>(command) || std::holds_alternative<Wait>(command);
    if (must_run || failure_.status == TENON_OK) run_or_note_failure(command);
  }
}

// Nobody is there to be told: the words wait for the next event or synchronize.
void Stream::run_or_note_failure(const Command& command) {
  try {
    std::visit([this](const auto& work) { run(work); }, command);
  } catch (const KernelError& error) {
    const auto* launch = std::get_if<Launch>(&command);
    failure_ = {error.status(), launch == nullptr ? error.what() : text("launch ", launch->id, ": ", error.what())};
  } catch (const std::exception& error) {
    failure_ = {TENON_ERROR, error.what()};
  }
}

void Stream::run(const Copy& copy) {
  if (copy.bytes != 0) std::memmove(copy.to, copy.from, copy.bytes);
}

void Stream::run(const Fill& fill) {
  for (std::uint64_t at = 0; at < fill.bytes; at += fill.pattern_bytes) {
    std::memcpy(fill.to + at, fill.pattern.data(), fill.pattern_bytes);
  }
}

}  // namespace acme
