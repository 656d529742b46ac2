// How a batch becomes a command buffer.
#include <cstring>

#include "bridge.h"
#include "stream.h"

namespace tenon::metal {
namespace {

/// A command buffer that is being encoded, with one encoder at a time. Commands of an encoder, encoders of a command
/// buffer and command buffers of a queue run in order as far as they touch the same buffers: Metal tracks that.
class Encoding {
 public:
  explicit Encoding(id<MTLCommandBuffer> commands) : commands_(commands) {}
  // Metal wants every encoder ended, also where encoding breaks off.
  ~Encoding() { end(); }
  Encoding(const Encoding&) = delete;
  Encoding& operator=(const Encoding&) = delete;

  void add(const Command& command) {
    switch (command.kind) {
      case Command::Kind::dispatch:
        return dispatch(command);
      case Command::Kind::copy:
        return copy(command.ranges[0], command.ranges[1]);
      case Command::Kind::stamp:
      case Command::Kind::fill:
        return fill(command.ranges[0], command.kind == Command::Kind::fill ? command.byte : std::uint8_t{0});
      case Command::Kind::make:
        return make(command);
    }
  }
  void end() {
    if (compute_ != nil) [compute_ endEncoding];
    if (blit_ != nil) [blit_ endEncoding];
    compute_ = nil, blit_ = nil;
  }

 private:
  void begin_compute() {
    if (compute_ != nil) return;
    end();
    compute_ = [commands_ computeCommandEncoder];
    if (compute_ == nil) throw_error("encoding kernels", nil);
  }
  void begin_blit() {
    if (blit_ != nil) return;
    end();
    blit_ = [commands_ blitCommandEncoder];
    if (blit_ == nil) throw_error("encoding copies", nil);
  }
  static id<MTLBuffer> of(const Range& range) { return as<id<MTLBuffer>>(range.buffer->object); }

  void dispatch(const Command& command) {
    begin_compute();
    [compute_ setComputePipelineState:as<id<MTLComputePipelineState>>(command.pipeline->state)];
    for (std::uint32_t i = 0; i < command.range_count; ++i)
      [compute_ setBuffer:of(command.ranges[i]) offset:command.ranges[i].offset atIndex:i];
    [compute_ setBytes:command.constants.data() length:command.constant_bytes atIndex:command.range_count];
    [compute_ dispatchThreadgroups:MTLSizeMake(command.groups[0], command.groups[1], command.groups[2])
             threadsPerThreadgroup:MTLSizeMake(command.group_threads, 1, 1)];
  }
  void copy(const Range& from, const Range& to) { copy(of(from), from.offset, to); }
  void copy(id<MTLBuffer> from, std::uint64_t offset, const Range& to) {
    begin_blit();
    [blit_ copyFromBuffer:from sourceOffset:offset toBuffer:of(to) destinationOffset:to.offset size:to.bytes];
  }
  void fill(const Range& to, std::uint8_t byte) {
    begin_blit();
    [blit_ fillBuffer:of(to) range:NSMakeRange(to.offset, to.bytes) value:byte];
  }
  /// By way of a buffer of its own, which the command buffer keeps until it is done.
  void make(const Command& command) {
    const Range& to = command.ranges[0];
    id<MTLBuffer> made = [commands_.device newBufferWithLength:to.bytes options:MTLResourceStorageModeShared];
    if (made == nil) {
      throw plugin::KernelError(TENON_ERROR_OUT_OF_MEMORY,
                                plugin::text("[metal] out of memory: ", to.bytes, " bytes for initial values"));
    }
    command.made.make(command.made, made.contents, to.bytes);
    copy(made, 0, to);
  }

  id<MTLCommandBuffer> commands_;
  id<MTLComputeCommandEncoder> compute_ = nil;
  id<MTLBlitCommandEncoder> blit_ = nil;
};

}  // namespace

void Stream::create() {
  timeline_ = std::make_shared<Timeline>(
      device_.object(), [](void* device, const char* words) { static_cast<Device*>(device)->lose(words); }, &device_);
  with_pool([&] {
    id<MTLCommandQueue> queue = [as<id<MTLDevice>>(device_.object()) newCommandQueue];
    if (queue == nil) throw_error("creating the queue of a stream", nil);
    queue_ = hold(queue);
  });
  staging_ = device_.memory().allocate(batch_count * staging_bytes + 16, Memory::Place::host);
  for (Batch& batch : *batches_) batch.readbacks.reserve(Timeline::readbacks_at_once);
}

void Stream::commit(Batch& batch) {
  device_.refuse_if_lost("committing work");
  with_pool([&] {
    id<MTLCommandBuffer> commands = [as<id<MTLCommandQueue>>(queue_) commandBuffer];
    if (commands == nil) throw_error("making a command buffer", nil);
    id<MTLSharedEvent> own = as<id<MTLSharedEvent>>(timeline_->event());
    const std::uint64_t value = timeline_->last() + 1;
    if (value > 1) [commands encodeWaitForEvent:own value:value - 1];
    for (std::size_t i = 0; i < batch.after_count; ++i) {
      const Moment& moment = batch.after[i];
      [commands encodeWaitForEvent:as<id<MTLSharedEvent>>(moment.timeline->event()) value:moment.value];
    }
    {
      Encoding encoding(commands);
      for (std::size_t i = 0; i < batch.count; ++i) encoding.add(batch.commands[i]);
    }
    [commands encodeSignalEvent:own value:value];
    [commands commit];
    batch.value = value;
    timeline_->add(hold(commands), {batch.after.data(), batch.after_count}, batch.readbacks);
  });
}

}  // namespace tenon::metal
