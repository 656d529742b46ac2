// stream.h: work in order, done by a thread of the stream's own while the caller goes on.
//
// The caller pushes commands into a ring, the worker pops and runs them. Everything that a command needs is in it: the
// host's argument blocks, patterns and texts live during the call only, the memory and the kernels until the work is
// done. After a failure the rest is discarded, since it builds on what failed, until somebody has heard of it.
//
// Owned by the host between stream_create and stream_destroy. Threads: one caller at a time.
#pragma once
#include <array>
#include <cstddef>
#include <memory>
#include <thread>
#include <variant>

#include "event.h"
#include "ring.h"
#include "roster.h"
#include "tenon/plugin.h"

namespace acme {

// -- commands -----------------------------------------------------------------------------------------------

struct Stop {};

struct Copy {
  std::byte* to;
  const std::byte* from;
  std::uint64_t bytes;
};

struct Fill {
  static constexpr std::uint32_t max_pattern_bytes = 16;
  std::byte* to;
  std::array<std::byte, max_pattern_bytes> pattern;
  std::uint32_t pattern_bytes;
  std::uint64_t bytes;
};

/// A kernel with the arguments of one launch: see kernels/kernel.h.
struct Launch {
  static constexpr std::uint32_t max_tensors = 12, max_scalars = 4;  // no operation has more
  void (*run)(const Launch&);
  const void* kernel;
  std::uint64_t id;
  std::uint32_t operand_count;
  std::array<std::byte*, max_tensors> tensors;  // operands, then results
  std::array<tenon_scalar, max_scalars> scalars;
};

struct Record {
  std::shared_ptr<Completion> completion;
};
struct Wait {
  std::shared_ptr<Completion> completion;
};

using Command = std::variant<Stop, Copy, Fill, Launch, Record, Wait>;

// -- the stream ---------------------------------------------------------------------------------------------

class Stream {
 public:
  explicit Stream(Roster<Stream>& open_streams);
  ~Stream();
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;

  // The slots of the table in device.cpp.
  void copy(tenon_ref to, tenon_ref from, std::uint64_t bytes);
  void copy_in(tenon_ref to, const void* from, std::uint64_t bytes);
  void copy_out(void* to, tenon_ref from, std::uint64_t bytes);
  void fill(tenon_ref to, const void* pattern, std::uint32_t pattern_bytes, std::uint64_t bytes);
  void wait(tenon_event* event);
  std::int32_t synchronize(std::uint64_t timeout_ns);

  void launch(const Launch& launch) { submit(launch); }
  void record(std::shared_ptr<Completion> completion) {
    last_ = completion;
    commands_.push(Record{std::move(completion)});
  }

  /// Returns when all work is done; its error stays for synchronize().
  void drain();

 private:
  void submit(Command command) {
    last_ = nullptr;
    commands_.push(std::move(command));
  }
  void work();
  void run(const Copy& copy);
  void run(const Fill& fill);
  void run(const Launch& launch) { launch.run(launch); }
  void run(const Wait& wait) { wait.completion->wait(TENON_FOREVER); }
  void run(const Record& record) { record.completion->finish(failure_); }
  void run(const Stop&) {}
  void run_or_note_failure(const Command& command);

  Roster<Stream>& open_streams_;
  Ring<Command, 1024> commands_;
  std::shared_ptr<Completion> last_;  // of a record that nothing came behind: once it is done, the stream is idle
  Result failure_;  // of the first failed work; the worker's, and the caller's where a Completion says it is idle
  std::thread worker_;
};

}  // namespace acme
