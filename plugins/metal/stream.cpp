// What is noted, and when it is handed over. What becomes of it: commit.mm.
#include "stream.h"

#include <cfenv>
#include <cstring>
#include <system_error>

namespace tenon::metal {
namespace {

constexpr std::uint64_t word = 4;  // what Metal copies and fills in multiples of

bool is_whole(std::uint64_t number) { return number % word == 0; }
bool is_whole(const Range& range) { return is_whole(range.offset) && is_whole(range.bytes); }

/// The words that a range touches. Buffers end with a whole word.
Range around(Range range) {
  const std::uint64_t begin = range.offset / word * word, end = (range.offset + range.bytes + word - 1) / word * word;
  return {range.buffer, begin, end - begin};
}

}  // namespace

Stream::Stream(Device& device) : device_(device), batches_(std::make_unique<std::array<Batch, batch_count>>()) {
  try {
    create();
    device_.add(*this);
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    destroy();
    plugin::refuse("[metal] starting the thread of a stream: ", std::string_view(error.what()));
  } catch (...) {
    destroy();
    throw;
  }
}

Stream::~Stream() { destroy(); }

// Work that nobody waited for is done first, also where the rest of it cannot be committed.
void Stream::destroy() {
  device_.remove(*this);
  if (timeline_ != nullptr && queue_) static_cast<void>(plugin::guard([&] { flush(); }));
  if (worker_.joinable()) {
    ends_ = true;
    wake();
    worker_.join();
  }
  if (timeline_ != nullptr)
    static_cast<void>(plugin::guard([&] { timeline_->wait(timeline_->last(), TENON_FOREVER); }));
  if (staging_ != nullptr) device_.memory().free(staging_);
}

void Stream::Batch::empty() {
  count = 0, staged_bytes = 0;
  after = {}, after_count = 0;
  readbacks.clear();
}

// -- noting -------------------------------------------------------------------------------------------------

void Stream::hand_over() { filled_.fetch_add(1, std::memory_order_release); }

// A batch that is under way is waited for before it is filled again.
void Stream::make_room() {
  if (current().count == commands_per_batch) {
    hand_over();
    wake();
  }
  if (filled_.load(std::memory_order_relaxed) - committed_.load(std::memory_order_acquire) == batch_count) {
    const std::lock_guard lock(committing_);
    commit_filled();
  }
  const std::uint64_t value = current().value;
  // What it failed with is told by the next synchronise.
  if (!timeline_->reached(value)) static_cast<void>(plugin::guard([&] { timeline_->wait(value, TENON_FOREVER); }));
}

Command& Stream::next() {
  make_room();
  return current().commands[current().count++];
}

/// Nothing is noted, waited for or under way: the host may touch shared memory itself.
bool Stream::idle() {
  const Batch& batch = current();
  if (batch.count != 0 || batch.after_count != 0) return false;
  if (filled_.load(std::memory_order_relaxed) != committed_.load(std::memory_order_acquire)) return false;
  try {
    return !timeline_->failed() && timeline_->wait(timeline_->last(), 0);
  } catch (const plugin::KernelError&) {
    return false;  // the next synchronise tells it
  }
}

// -- copies -------------------------------------------------------------------------------------------------

void Stream::copy(Range to, Range from) {
  if (to.bytes == 0) return;
  if (!is_whole(to) || !is_whole(from)) {
    copy_in(to, read_words(around(from)).data() + from.offset % word);
    return;
  }
  Command& command = next();
  command.kind = Command::Kind::copy;
  command.range_count = 2;
  command.ranges[0] = from;
  command.ranges[1] = to;
}

/// A piece of the current batch's staging memory, with room for a command that uses it.
Range Stream::stage(std::uint64_t wanted, std::byte*& place) {
  constexpr std::uint64_t step = 16;
  make_room();
  if (staging_bytes - current().staged_bytes < step) {
    flush();
    make_room();
  }
  Batch& batch = current();
  const std::uint64_t bytes = std::min(wanted, staging_bytes - batch.staged_bytes);
  const auto number = static_cast<std::uint64_t>(&batch - batches_->data());
  const std::uint64_t offset = number * staging_bytes + batch.staged_bytes;
  batch.staged_bytes += std::min((bytes + step - 1) / step * step, staging_bytes - batch.staged_bytes);
  place = staging_->contents + offset;
  return {staging_, offset, bytes};
}

void Stream::copy_in(Range to, const void* from) {
  if (to.bytes == 0) return;
  if (to.buffer->contents != nullptr && idle()) {
    std::memcpy(to.buffer->contents + to.offset, from, to.bytes);
  } else if (is_whole(to)) {
    copy_words_in(to, from);
  } else {
    std::vector<std::byte> words = read_words(around(to));
    std::memcpy(words.data() + to.offset % word, from, to.bytes);
    copy_words_in(around(to), words.data());
  }
}

void Stream::copy_words_in(Range to, const void* from) {
  const auto* source = static_cast<const std::byte*>(from);
  while (to.bytes != 0) {
    std::byte* place = nullptr;
    const Range staged = stage(to.bytes, place);
    std::memcpy(place, source, staged.bytes);
    copy({to.buffer, to.offset, staged.bytes}, staged);
    to.offset += staged.bytes, to.bytes -= staged.bytes, source += staged.bytes;
  }
}

void Stream::copy_out(void* to, Range from) {
  if (from.bytes == 0) return;
  if (from.buffer->contents != nullptr && idle()) {
    std::memcpy(to, from.buffer->contents + from.offset, from.bytes);
  } else if (is_whole(from)) {
    copy_words_out(to, from);
  } else {
    std::memcpy(to, read_words(around(from)).data() + from.offset % word, from.bytes);
  }
}

void Stream::copy_words_out(void* to, Range from) {
  auto* target = static_cast<std::byte*>(to);
  while (from.bytes != 0) {
    std::byte* place = nullptr;
    const Range staged = stage(from.bytes, place);
    copy(staged, {from.buffer, from.offset, staged.bytes});
    current().readbacks.push_back({target, place, staged.bytes});
    from.offset += staged.bytes, from.bytes -= staged.bytes, target += staged.bytes;
  }
}

/// Waits for them.
std::vector<std::byte> Stream::read_words(Range around) {
  std::vector<std::byte> words(around.bytes);
  copy_words_out(words.data(), around);
  timeline_->wait(flush(), TENON_FOREVER);
  return words;
}

void Stream::fill(Range to, const void* pattern, std::uint32_t pattern_bytes) {
  if (to.bytes == 0) return;
  const auto* bytes = static_cast<const std::uint8_t*>(pattern);
  if (pattern_bytes == 0 || pattern_bytes > staging_bytes / 2 || to.bytes % pattern_bytes != 0)
    plugin::refuse("[metal] a fill of ", to.bytes, " bytes by a pattern of ", pattern_bytes);
  if (is_whole(to) && std::all_of(bytes, bytes + pattern_bytes, [&](std::uint8_t b) { return b == *bytes; })) {
    Command& command = next();
    command.kind = Command::Kind::fill;
    command.range_count = 1;
    command.ranges[0] = to;
    command.byte = *bytes;
    return;
  }
  // Metal fills with one byte alone. A step that whole patterns and whole words divide.
  const std::uint64_t step = std::uint64_t{pattern_bytes} * word;
  const std::uint64_t most = std::max(staging_bytes / 2 / step * step, step);
  std::vector<std::byte> repeated(std::min(to.bytes, most));
  for (std::uint64_t i = 0; i < repeated.size(); i += pattern_bytes)
    std::memcpy(repeated.data() + i, pattern, pattern_bytes);
  while (to.bytes != 0) {
    const std::uint64_t part = std::min<std::uint64_t>(to.bytes, repeated.size());
    copy_in({to.buffer, to.offset, part}, repeated.data());
    to.offset += part, to.bytes -= part;
  }
}

void Stream::stamp() {
  Command& command = next();
  command.kind = Command::Kind::stamp;
  command.range_count = 1;
  command.ranges[0] = {staging_, batch_count * staging_bytes, word};
}

void Stream::wait_for(const Moment& moment) {
  if (moment.timeline == nullptr || moment.timeline == timeline_ || moment.timeline->reached(moment.value)) return;
  flush();
  make_room();
  if (current().after_count == Timeline::waits_at_once) {
    stamp();
    flush();
    make_room();
  }
  Batch& batch = current();
  batch.after[batch.after_count++] = moment;
}

// -- handing over -------------------------------------------------------------------------------------------

void Stream::wake() {
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_one();
}

// Initial values are made here, in the arithmetic that every thread begins with.
void Stream::work() {
  std::fesetenv(FE_DFL_ENV);
  for (std::int32_t seen = 0; !ends_; seen = calls_.load(std::memory_order_acquire)) {
    {
      const std::lock_guard lock(committing_);
      commit_filled();
    }
    calls_.wait(seen, std::memory_order_acquire);
  }
}

void Stream::commit_filled() {
  while (committed_.load(std::memory_order_relaxed) != filled_.load(std::memory_order_acquire)) {
    Batch& batch = (*batches_)[committed_.load(std::memory_order_relaxed) % batch_count];
    batch.value = 0;
    try {
      if (!timeline_->failed()) commit(batch);
    } catch (const plugin::KernelError& error) {
      timeline_->fail(error);
    }
    batch.empty();
    committed_.fetch_add(1, std::memory_order_release);
  }
}

std::uint64_t Stream::flush() {
  if (current().count == 0)
    current().staged_bytes = 0;
  else
    hand_over();
  std::uint64_t last = 0;
  {
    const std::lock_guard lock(committing_);
    commit_filled();
    last = timeline_->last();
  }
  if (timeline_->failed()) {
    static_cast<void>(plugin::guard([&] { timeline_->wait(last, TENON_FOREVER); }));
    timeline_->throw_failure();
  }
  return last;
}

bool Stream::synchronize(std::uint64_t timeout_ns) {
  try {
    const std::uint64_t last = flush();
    // Waited for by the host where no work follows that could wait itself.
    Batch& batch = current();
    for (std::size_t i = 0; i < batch.after_count; ++i) {
      if (!batch.after[i].timeline->wait(batch.after[i].value, timeout_ns)) return false;
    }
    return timeline_->wait(last, timeout_ns);
  } catch (...) {
    timeline_->take_failure();
    throw;
  }
}

}  // namespace tenon::metal
