#include <cstring>

#include "commands.h"

namespace gpusim::metal {
namespace {

const Class compute_class{nullptr,
                          "MTLComputeCommandEncoder",
                          {{"setComputePipelineState:", method<&ComputeEncoder::set_pipeline>()},
                           {"setBuffer:offset:atIndex:", method<&ComputeEncoder::set_buffer>()},
                           {"setBytes:length:atIndex:", method<&ComputeEncoder::set_bytes>()},
                           {"dispatchThreadgroups:threadsPerThreadgroup:", method<&ComputeEncoder::dispatch>()},
                           {"endEncoding", method<&Encoder::end>()}},
                          destroy_as<ComputeEncoder>};
const Class blit_class{nullptr,
                       "MTLBlitCommandEncoder",
                       {{"copyFromBuffer:sourceOffset:toBuffer:destinationOffset:size:", method<&BlitEncoder::copy>()},
                        {"fillBuffer:range:value:", method<&BlitEncoder::fill>()},
                        {"endEncoding", method<&Encoder::end>()}},
                       destroy_as<BlitEncoder>};

void complain(const std::string& words) { System::get().complain(words); }

}  // namespace

// -- what both have in common -----------------------------------------------------------------------------------------

Encoder::Encoder(const Class& of, CommandBuffer& into) : Object(of), commands(&into) { into.open = this; }

Encoder::~Encoder() {
  if (ended) return;
  complain(std::string("a ") + was->name + " was released without endEncoding");
  commands->open = nullptr;
}

void Encoder::end() {
  if (ended) return complain("endEncoding was called twice");
  ended = true;
  commands->open = nullptr;
}

bool Encoder::may_encode(const char* what) {
  if (ended) complain(std::string(what) + ": the encoder was ended already");
  return !ended;
}

// "The offset must be a multiple of 4 bytes in macOS" and the like (MTLBlitCommandEncoder).
bool Encoder::has(const char* what, const Buffer* buffer, unsigned long offset, unsigned long bytes) {
  const std::string begin = std::string(what) + ": ";
  if (buffer == nullptr) {
    complain(begin + "a buffer is nil");
    return false;
  }
  if (!buffer->holds(offset, bytes)) {
    complain(begin + std::to_string(bytes) + " bytes from " + std::to_string(offset) + " on of a buffer that has " +
             std::to_string(buffer->bytes));
    return false;
  }
  if (offset % 4 == 0 && bytes % 4 == 0 && bytes != 0) return true;
  complain(begin + std::to_string(bytes) + " bytes from " + std::to_string(offset) + " on are no whole words");
  return false;
}

// -- kernels ----------------------------------------------------------------------------------------------------------

ComputeEncoder::ComputeEncoder(CommandBuffer& into) : Encoder(compute_class, into) {}

void ComputeEncoder::set_pipeline(Pipeline* state) {
  if (!may_encode("setComputePipelineState")) return;
  if (state == nullptr) return complain("setComputePipelineState: was given nil");
  pipeline_ = Ref<Pipeline>(state);
}

void ComputeEncoder::set_buffer(Buffer* buffer, unsigned long offset, unsigned long index) {
  if (!may_encode("setBuffer")) return;
  if (index >= places) return complain("setBuffer: there is no place " + std::to_string(index));
  if (buffer != nullptr && (offset >= buffer->bytes || offset % 4 != 0))
    return complain("setBuffer: offset " + std::to_string(offset) + " of a buffer that has " +
                    std::to_string(buffer->bytes) + " bytes");
  bound_[index] = {Ref<Buffer>(buffer), offset, {}};
}

// "Use this method for single-use data smaller than 4 KB" (setBytes:length:atIndex:).
void ComputeEncoder::set_bytes(const void* bytes, unsigned long length, unsigned long index) {
  if (!may_encode("setBytes")) return;
  if (index >= places) return complain("setBytes: there is no place " + std::to_string(index));
  if (length == 0 || length > most_bytes) return complain("setBytes: was given " + std::to_string(length) + " bytes");
  bound_[index] = {{}, 0, std::string(static_cast<const char*>(bytes), length)};
}

bool ComputeEncoder::is_bound_right() {
  const Function& function = *pipeline_->function;
  for (unsigned long i = 0; i < function.found.kernel->argument_count; ++i) {
    if (bound_[i].is_set()) continue;
    complain(function.name + ": nothing is bound to [[buffer(" + std::to_string(i) + ")]]");
    return false;
  }
  return true;
}

namespace {

/// One start of a kernel, with all that it refers to.
struct Dispatch {
  Ref<Gpu> gpu;
  Ref<Pipeline> pipeline;
  std::vector<ComputeEncoder::Bound> bound;
  Extent groups, threads;
  std::uint64_t number;

  // Constants lie in memory of their own, so that reading beyond them is seen.
  bool run() const {
    const System::Found& found = pipeline->function->found;
    Memory& memory = System::get().shared_memory();
    std::vector<void*> addresses, arguments, constants;
    for (const ComputeEncoder::Bound& one : bound) {
      void* address = one.buffer ? one.buffer->address + one.offset : memory.allocate(one.bytes.size());
      if (!one.buffer) {
        memory.write(address, one.bytes.data(), one.bytes.size());
        constants.push_back(address);
      }
      addresses.push_back(address);
    }
    for (void*& address : addresses) arguments.push_back(&address);
    const bool went_well =
        gpu->simulated.run(*found.library, *found.kernel, {groups, threads, arguments.data(), 0, number});
    for (void* address : constants) memory.free(address);
    return went_well;
  }
};

Extent extent(const ComputeEncoder::Size& size) {
  return {static_cast<unsigned>(size.width), static_cast<unsigned>(size.height), static_cast<unsigned>(size.depth)};
}

}  // namespace

// What is bound stays bound for the next kernel.
void ComputeEncoder::dispatch(Size groups, Size threads) {
  if (!may_encode("dispatchThreadgroups")) return;
  if (!pipeline_) return complain("dispatchThreadgroups: there is no pipeline");
  const std::string& name = pipeline_->function->name;
  if (groups.count() == 0 || threads.count() == 0) return complain(name + ": a dispatch of nothing");
  if (threads.count() > pipeline_->function->found.kernel->max_threads)
    return complain(name + ": threadgroups of " + std::to_string(threads.count()) + " threads");
  if (!is_bound_right()) return;
  const auto count = std::ptrdiff_t(pipeline_->function->found.kernel->argument_count);
  const Dispatch start{commands->queue->gpu, pipeline_,       {bound_.begin(), bound_.begin() + count},
                       extent(groups),       extent(threads), System::get().next_work()};
  commands->add({[start] { return start.run(); }, {}, 0});
}

// -- copies -----------------------------------------------------------------------------------------------------------

BlitEncoder::BlitEncoder(CommandBuffer& into) : Encoder(blit_class, into) {}

namespace {

void copy_bytes(Buffer& from, unsigned long from_offset, Buffer& to, unsigned long to_offset, unsigned long bytes) {
  char *source = from.address + from_offset, *target = to.address + to_offset;
  if (&from.memory() == &to.memory())
    from.memory().copy(target, source, bytes);
  else if (from.contents() != nullptr)
    to.memory().write(target, source, bytes);
  else
    from.memory().read(target, source, bytes);
}

}  // namespace

void BlitEncoder::copy(Buffer* from, unsigned long from_offset, Buffer* to, unsigned long to_offset,
                       unsigned long bytes) {
  if (!may_encode("copyFromBuffer")) return;
  if (!has("copyFromBuffer", from, from_offset, bytes) || !has("copyFromBuffer", to, to_offset, bytes)) return;
  if (from == to && from_offset < to_offset + bytes && to_offset < from_offset + bytes)
    return complain("copyFromBuffer: source and destination overlap");
  commands->add({[from = Ref<Buffer>(from), from_offset, to = Ref<Buffer>(to), to_offset, bytes] {
                   copy_bytes(*from, from_offset, *to, to_offset, bytes);
                   return true;
                 },
                 {},
                 0});
}

void BlitEncoder::fill(Buffer* buffer, Span range, std::uint8_t value) {
  if (!may_encode("fillBuffer") || !has("fillBuffer", buffer, range.location, range.length)) return;
  commands->add({[buffer = Ref<Buffer>(buffer), range, value] {
                   buffer->memory().fill(buffer->address + range.location, &value, 1, range.length);
                   return true;
                 },
                 {},
                 0});
}

}  // namespace gpusim::metal
