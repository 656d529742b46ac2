// commands.h: queues, command buffers and their encoders. Guarded by the lock of system.h.
#pragma once
#include <array>
#include <functional>

#include "gpu.h"

namespace gpusim::metal {

struct Encoder;

/// What a command buffer does next.
struct Step {
  std::function<bool()> run;  // false: the command buffer ends with an error
  Ref<SharedEvent> waits_for;
  std::uint64_t value = 0;
};

struct CommandBuffer : Object {
  enum Status : unsigned long { not_enqueued, enqueued, committed, scheduled, completed, failed };

  explicit CommandBuffer(Queue& of);
  Object* device();
  unsigned long status_();
  Object* error();
  double start() { return started; }
  double end();
  Object* compute_encoder();
  Object* blit_encoder();
  void wait_for(SharedEvent* event, std::uint64_t value);
  void signal(SharedEvent* event, std::uint64_t value);
  void commit();
  void wait();

  bool is_over() const { return status >= completed; }
  /// Says what is wrong with encoding now; false: nothing may be encoded.
  bool may_encode(const char* what);
  void add(Step step) { steps.push_back(std::move(step)); }
  /// False: it waits for an event.
  bool step();
  void finish(long code, const std::string& words);

  Ref<Queue> queue;
  Status status = not_enqueued;
  Encoder* open = nullptr;
  std::deque<Step> steps;
  long error_code = 0;
  std::string error_words;
  long planned_error = 0;
  double started = 0, ended = 0;
};

struct Queue : Object {
  explicit Queue(Gpu& of);
  Object* command_buffer();
  /// Of the oldest command buffer. False: there is none, or it waits.
  bool step();
  /// What waits for ever, at the end.
  void give_up();
  Ref<Gpu> gpu;
  std::deque<Ref<CommandBuffer>> pending;
};

/// What both kinds have in common.
struct Encoder : Object {
  Encoder(const Class& of, CommandBuffer& into);
  ~Encoder();
  void end();
  bool may_encode(const char* what);
  /// Whether the bytes are the buffer's, in words.
  bool has(const char* what, const Buffer* buffer, unsigned long offset, unsigned long bytes);

  Ref<CommandBuffer> commands;
  bool ended = false;
};

struct ComputeEncoder : Encoder {
  static constexpr unsigned long places = 31, most_bytes = 4096;
  struct Size {
    unsigned long width, height, depth;
    std::uint64_t count() const { return std::uint64_t{width} * height * depth; }
  };
  explicit ComputeEncoder(CommandBuffer& into);
  void set_pipeline(Pipeline* state);
  void set_buffer(Buffer* buffer, unsigned long offset, unsigned long index);
  void set_bytes(const void* bytes, unsigned long length, unsigned long index);
  void dispatch(Size groups, Size threads);

  struct Bound {
    Ref<Buffer> buffer;
    unsigned long offset = 0;
    std::string bytes;
    bool is_set() const { return buffer || !bytes.empty(); }
  };

 private:
  bool is_bound_right();
  Ref<Pipeline> pipeline_;
  std::array<Bound, places> bound_;
};

struct BlitEncoder : Encoder {
  struct Span {
    unsigned long location, length;
  };
  explicit BlitEncoder(CommandBuffer& into);
  void copy(Buffer* from, unsigned long from_offset, Buffer* to, unsigned long to_offset, unsigned long bytes);
  void fill(Buffer* buffer, Span range, std::uint8_t value);
};

}  // namespace gpusim::metal
