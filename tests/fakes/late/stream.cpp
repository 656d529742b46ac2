#include "stream.h"

#include <cstring>

#include "tenon/plugin.hpp"
#include "words.h"

namespace tenon::late {

using plugin::KernelError;
using plugin::text;

void Stream::synchronize() {
  while (!queue_.empty()) run_one();
  if (status_ == TENON_OK) return;
  const std::int32_t status = std::exchange(status_, TENON_OK);
  throw KernelError(status, std::exchange(words_, {}));
}

void Stream::run_through(const Recording& recording) {
  while (!recording.done && !queue_.empty()) run_one();
}

// After a failure work is discarded, since it builds on what failed; only recordings still learn of it.
void Stream::run_one() {
  const Command command = queue_.pop();
  if (const auto* record = std::get_if<Record>(&command)) {
    record->recording->status = status_;
    record->recording->words = words_;
    record->recording->done = true;
    return;
  }
  if (const auto* launch = std::get_if<Launch>(&command)) --launch->kernel->queued;
  try {
    if (status_ == TENON_OK) std::visit([this](const auto& work) { run(work); }, command);
  } catch (const KernelError& error) {
    fail(error.status(), error.what());
  }
  const auto* launch = std::get_if<Launch>(&command);
  if (launch != nullptr && launch->kernel->released && launch->kernel->queued == 0) delete launch->kernel;
}

void Stream::fail(std::int32_t status, std::string words) {
  status_ = status;
  words_ = std::move(words);
}

void Stream::run(const Copy& copy) {
  std::byte* to = memory_.at(copy.to, copy.bytes, copy_alignment, {"copy", "destination"});
  const std::byte* from = memory_.at(copy.from, copy.bytes, copy_alignment, {"copy", "source"});
  if (copy.bytes != 0) std::memmove(to, from, copy.bytes);
}

void Stream::run(const CopyIn& copy) {
  std::byte* to = memory_.at(copy.to, copy.bytes, copy_alignment, {"copy_in", "destination"});
  if (copy.bytes != 0) std::memcpy(to, copy.from, copy.bytes);
}

void Stream::run(const CopyOut& copy) {
  const std::byte* from = memory_.at(copy.from, copy.bytes, copy_alignment, {"copy_out", "source"});
  if (copy.bytes != 0) std::memcpy(copy.to, from, copy.bytes);
}

void Stream::run(const Fill& fill) {
  std::byte* to = memory_.at(fill.to, fill.bytes, copy_alignment, {"fill", "destination"});
  for (std::uint64_t i = 0; i < fill.bytes; i += fill.pattern_bytes) {
    std::memcpy(to + i, fill.pattern, fill.pattern_bytes);
  }
}

void Stream::run(const Launch& launch) {
  const std::uint64_t id = launch.arguments.launch_id;
  if (launch.kernel->released) {
    throw KernelError(TENON_ERROR, text("launch ", id, ": the kernel was released before its work was done"));
  }
  try {
    const std::int32_t status = launch.kernel->run(launch.arguments, memory_);
    if (status != TENON_OK) throw KernelError(status, last_words());
  } catch (const KernelError& error) {
    throw KernelError(error.status(), text("launch ", id, ": ", error.what()));
  }
}

void Stream::run(const Wait& wait) {
  if (!wait.recording->done) wait.recording->stream->run_through(*wait.recording);
}

}  // namespace tenon::late
