// stream.h: work in order, none of which is done before somebody waits for it.
//
// A Stream belongs to its device and is guarded by the device's lock, which every member expects to be held. The work
// runs on the thread that waits.
#pragma once
#include <memory>
#include <string>
#include <variant>

#include "kernel.h"
#include "ring.h"

namespace tenon::late {

class Stream;

/// One recording of an event: a place in a stream's work. Shared by the event, the stream and those that wait.
struct Recording {
  Stream* stream;
  bool done = false;
  std::int32_t status = TENON_OK;  // of the work before it, once done
  std::string words;
};

// -- commands -----------------------------------------------------------------------------------------------

struct Nothing {};
struct Copy {
  tenon_ref to, from;
  std::uint64_t bytes;
};
struct CopyIn {
  tenon_ref to;
  const void* from;  // read only when the copy is done
  std::uint64_t bytes;
};
struct CopyOut {
  void* to;
  tenon_ref from;
  std::uint64_t bytes;
};
struct Fill {
  static constexpr std::uint32_t max_pattern_bytes = 16;
  tenon_ref to;
  std::byte pattern[max_pattern_bytes];
  std::uint32_t pattern_bytes;
  std::uint64_t bytes;
};
struct Launch {
  Kernel* kernel;
  LaunchArguments arguments;
};
struct Record {
  std::shared_ptr<Recording> recording;
};
struct Wait {
  std::shared_ptr<Recording> recording;
};
using Command = std::variant<Nothing, Copy, CopyIn, CopyOut, Fill, Launch, Record, Wait>;

class Stream {
 public:
  explicit Stream(Memory& memory) : memory_(memory) {}

  void enqueue(Command command) { queue_.push(std::move(command)); }
  std::size_t pending() const { return queue_.size(); }

  /// Does all work, and forgets its first error after throwing it.
  void synchronize();
  /// Does the work before a recording.
  void run_through(const Recording& recording);

 private:
  void run_one();
  void fail(std::int32_t status, std::string words);

  void run(const Nothing&) {}
  void run(const Copy& copy);
  void run(const CopyIn& copy);
  void run(const CopyOut& copy);
  void run(const Fill& fill);
  void run(const Launch& launch);
  void run(const Record&) {}
  void run(const Wait& wait);

  Memory& memory_;
  Ring<Command> queue_{256};
  std::int32_t status_ = TENON_OK;  // of the first failed work since the last synchronize
  std::string words_;
};

/// Copies and fills may begin at any multiple of this.
inline constexpr std::uint64_t copy_alignment = 4;

}  // namespace tenon::late
