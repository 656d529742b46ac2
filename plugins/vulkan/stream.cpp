#include "stream.h"

#include <cstring>
#include <system_error>

namespace tenon::vulkan {
namespace {

bool overlap(const Range& a, const Range& b) {
  return a.buffer == b.buffer && a.offset < b.offset + b.bytes && b.offset < a.offset + a.bytes;
}

constexpr VkPipelineStageFlags work_stages = VK_PIPELINE_STAGE_COMPUTE_SHADER_BIT | VK_PIPELINE_STAGE_TRANSFER_BIT;
constexpr VkAccessFlags writes = VK_ACCESS_SHADER_WRITE_BIT | VK_ACCESS_TRANSFER_WRITE_BIT;
constexpr VkAccessFlags reads = VK_ACCESS_SHADER_READ_BIT | VK_ACCESS_TRANSFER_READ_BIT;

}  // namespace

Stream::Stream(Device& device)
    : device_(device), api_(device.api()), batches_(std::make_unique<std::array<Batch, batch_count>>()) {
  try {
    create();
    device_.add(*this, batch_count * commands_per_batch);
    worker_ = std::thread([this] { work(); });
  } catch (const std::system_error& error) {
    destroy();
    plugin::refuse("[vulkan] starting the thread of a stream: ", std::string_view(error.what()));
  } catch (...) {
    destroy();
    throw;
  }
}

void Stream::create() {
  auto pool = make<VkCommandPoolCreateInfo>(VK_STRUCTURE_TYPE_COMMAND_POOL_CREATE_INFO);
  pool.flags = VK_COMMAND_POOL_CREATE_RESET_COMMAND_BUFFER_BIT;
  pool.queueFamilyIndex = device_.physical().queue_family;
  check(api_.CreateCommandPool(device_.handle(), &pool, nullptr, &commands_), "creating the commands of a stream");
  constexpr std::uint32_t sets = batch_count * commands_per_batch;
  const VkDescriptorPoolSize size{VK_DESCRIPTOR_TYPE_STORAGE_BUFFER, sets * max_bindings};
  auto info = make<VkDescriptorPoolCreateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_POOL_CREATE_INFO);
  info.maxSets = sets;
  info.poolSizeCount = 1;
  info.pPoolSizes = &size;
  check(api_.CreateDescriptorPool(device_.handle(), &info, nullptr, &descriptors_),
        "creating the bindings of a stream");
  staging_ = device_.memory().allocate(batch_count * staging_bytes, tensor_alignment, Memory::Place::host);

  std::array<VkDescriptorSetLayout, commands_per_batch> layouts;
  layouts.fill(device_.pipelines().set_layout());
  for (Batch& batch : *batches_) {
    auto buffers = make<VkCommandBufferAllocateInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_ALLOCATE_INFO);
    buffers.commandPool = commands_;
    buffers.commandBufferCount = 1;
    check(api_.AllocateCommandBuffers(device_.handle(), &buffers, &batch.buffer), "making a batch of commands");
    auto wanted = make<VkDescriptorSetAllocateInfo>(VK_STRUCTURE_TYPE_DESCRIPTOR_SET_ALLOCATE_INFO);
    wanted.descriptorPool = descriptors_;
    wanted.descriptorSetCount = commands_per_batch;
    wanted.pSetLayouts = layouts.data();
    check(api_.AllocateDescriptorSets(device_.handle(), &wanted, batch.sets.data()), "making a batch of bindings");
    batch.readbacks.reserve(commands_per_batch);
  }
}

Stream::~Stream() { destroy(); }

// Work that nobody waited for is done first, also where the rest of it cannot be submitted.
void Stream::destroy() {
  device_.remove(*this);
  static_cast<void>(plugin::guard([&] { flush(); }));
  if (worker_.joinable()) {
    ends_ = true;
    wake();
    worker_.join();
  }
  static_cast<void>(plugin::guard([&] { device_.wait(last_, TENON_FOREVER); }));
  if (staging_ != nullptr) device_.memory().free(staging_);
  if (descriptors_ != VK_NULL_HANDLE) api_.DestroyDescriptorPool(device_.handle(), descriptors_, nullptr);
  if (commands_ != VK_NULL_HANDLE) api_.DestroyCommandPool(device_.handle(), commands_, nullptr);
}

// -- noting -------------------------------------------------------------------------------------------------

void Stream::hand_over() {
  current().after = std::exchange(after_, 0);
  filled_.fetch_add(1, std::memory_order_release);
}

// A batch that is under way is waited for before it is filled again.
void Stream::make_room() {
  if (current().count == commands_per_batch) {
    hand_over();
    wake();
  }
  if (filled_.load(std::memory_order_relaxed) - submitted_.load(std::memory_order_acquire) == batch_count) {
    const std::lock_guard lock(recording_);
    submit_filled();
  }
  Batch& batch = current();
  if (!device_.reached(batch.value)) device_.wait(batch.value, TENON_FOREVER);
}

Command& Stream::next() {
  make_room();
  return current().commands[current().count++];
}

void Stream::copy(Range to, Range from) {
  if (to.bytes == 0) return;
  Command& command = next();
  command.kind = Command::Kind::copy;
  command.range_count = 2;
  command.written = 2;
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
  place = staging_->mapped + offset;
  return {staging_->buffer, offset, bytes};
}

void Stream::copy_in(Range to, const void* from) {
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
  auto* target = static_cast<std::byte*>(to);
  while (from.bytes != 0) {
    std::byte* place = nullptr;
    const Range staged = stage(from.bytes, place);
    copy(staged, {from.buffer, from.offset, staged.bytes});
    current().readbacks.push_back({0, target, place, staged.bytes});
    from.offset += staged.bytes, from.bytes -= staged.bytes, target += staged.bytes;
  }
}

void Stream::fill(Range to, const void* pattern, std::uint32_t pattern_bytes) {
  if (to.bytes == 0) return;
  if (pattern_bytes != 0 && 4 % pattern_bytes == 0 && to.offset % 4 == 0 && to.bytes % 4 == 0) {
    Command& command = next();
    command.kind = Command::Kind::fill;
    command.range_count = 1;
    command.written = 1;
    command.ranges[0] = to;
    for (std::uint32_t i = 0; i < 4; i += pattern_bytes)
      std::memcpy(reinterpret_cast<std::byte*>(&command.word) + i, pattern, pattern_bytes);
    return;
  }
  if (pattern_bytes == 0 || pattern_bytes > staging_bytes / 2 || to.bytes % pattern_bytes != 0)
    plugin::refuse("[vulkan] a fill of ", to.bytes, " bytes by a pattern of ", pattern_bytes);
  while (to.bytes != 0) {  // other patterns, and places that the driver's own fill does not know, are copied
    make_room();
    if (staging_bytes - current().staged_bytes < pattern_bytes) flush();
    std::byte* place = nullptr;
    Range staged = stage(to.bytes, place);
    staged.bytes -= staged.bytes % pattern_bytes;
    for (std::uint64_t i = 0; i < staged.bytes; i += pattern_bytes) std::memcpy(place + i, pattern, pattern_bytes);
    copy({to.buffer, to.offset, staged.bytes}, staged);
    to.offset += staged.bytes, to.bytes -= staged.bytes;
  }
}

void Stream::stamp(VkQueryPool query) {
  Command& command = next();
  command.kind = Command::Kind::stamp;
  command.range_count = 0;
  command.written = 0;
  command.query = query;
}

void Stream::wait_for(std::uint64_t value) {
  flush();
  after_ = std::max(after_, value);
}

// -- submitting ---------------------------------------------------------------------------------------------

void Stream::wake() {
  calls_.fetch_add(1, std::memory_order_release);
  calls_.notify_one();
}

void Stream::work() {
  for (std::int32_t seen = 0; !ends_; seen = calls_.load(std::memory_order_acquire)) {
    {
      const std::lock_guard lock(recording_);
      submit_filled();
    }
    calls_.wait(seen, std::memory_order_acquire);
  }
}

void Stream::submit_filled() {
  while (submitted_.load(std::memory_order_relaxed) != filled_.load(std::memory_order_acquire)) {
    Batch& batch = (*batches_)[submitted_.load(std::memory_order_relaxed) % batch_count];
    batch.value = 0;
    try {
      if (!failure_) submit(batch);
    } catch (const plugin::KernelError& error) {
      failure_ = error;
    }
    batch.empty();
    submitted_.fetch_add(1, std::memory_order_release);
  }
}

void Stream::submit(Batch& batch) {
  record(batch);
  last_ = batch.value = device_.submit(batch.buffer, batch.after);
  for (Device::Readback& readback : batch.readbacks) readback.value = batch.value;
  device_.read_back(batch.readbacks);
}

std::uint64_t Stream::flush() {
  if (current().count == 0)
    current().staged_bytes = 0;
  else
    hand_over();
  const std::lock_guard lock(recording_);
  submit_filled();
  if (failure_) {
    static_cast<void>(plugin::guard([&] { device_.wait(last_, TENON_FOREVER); }));
    throw plugin::KernelError(*failure_);
  }
  return std::max(last_, after_);
}

bool Stream::synchronize(std::uint64_t timeout_ns) {
  try {
    return device_.wait(flush(), timeout_ns);
  } catch (...) {
    const std::lock_guard lock(recording_);
    failure_.reset();
    throw;
  }
}

// -- recording ----------------------------------------------------------------------------------------------

void Stream::record(Batch& batch) {
  auto begin = make<VkCommandBufferBeginInfo>(VK_STRUCTURE_TYPE_COMMAND_BUFFER_BEGIN_INFO);
  begin.flags = VK_COMMAND_BUFFER_USAGE_ONE_TIME_SUBMIT_BIT;
  check(api_.BeginCommandBuffer(batch.buffer, &begin), "beginning to record");
  barrier(batch.buffer, reads | writes);  // against the batches before this one
  for (std::size_t i = 0; i < batch.count; ++i) record(batch, i);
  // Towards the host, which reads staged bytes, and buffers that it sees.
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, writes, VK_ACCESS_HOST_READ_BIT};
  api_.CmdPipelineBarrier(batch.buffer, work_stages, VK_PIPELINE_STAGE_HOST_BIT, 0, 1, &memory, 0, nullptr, 0, nullptr);
  check(api_.EndCommandBuffer(batch.buffer), "ending to record");
}

void Stream::barrier(VkCommandBuffer buffer, VkAccessFlags to) {
  const VkMemoryBarrier memory{VK_STRUCTURE_TYPE_MEMORY_BARRIER, nullptr, writes, to};
  api_.CmdPipelineBarrier(buffer, work_stages, work_stages, 0, 1, &memory, 0, nullptr, 0, nullptr);
  touched_count_ = 0;
}

bool Stream::conflicts(const Command& command) const {
  for (std::uint32_t i = 0; i < command.range_count; ++i) {
    const bool write = (command.written >> i & 1) != 0;
    for (std::size_t t = 0; t < touched_count_; ++t) {
      if ((write || touched_[t].written) && overlap(command.ranges[i], touched_[t].range)) return true;
    }
  }
  return false;
}

void Stream::note(const Command& command) {
  for (std::uint32_t i = 0; i < command.range_count; ++i)
    touched_[touched_count_++] = {command.ranges[i], (command.written >> i & 1) != 0};
}

void Stream::record(Batch& batch, std::size_t number) {
  const Command& command = batch.commands[number];
  if (conflicts(command)) barrier(batch.buffer, reads | writes);
  note(command);
  switch (command.kind) {
    case Command::Kind::dispatch:
      record_dispatch(batch, command, batch.sets[number]);
      break;
    case Command::Kind::copy: {
      const VkBufferCopy region{command.ranges[0].offset, command.ranges[1].offset, command.ranges[1].bytes};
      api_.CmdCopyBuffer(batch.buffer, command.ranges[0].buffer, command.ranges[1].buffer, 1, &region);
      break;
    }
    case Command::Kind::fill:
      api_.CmdFillBuffer(batch.buffer, command.ranges[0].buffer, command.ranges[0].offset, command.ranges[0].bytes,
                         command.word);
      break;
    case Command::Kind::stamp:
      api_.CmdResetQueryPool(batch.buffer, command.query, 0, 1);
      api_.CmdWriteTimestamp(batch.buffer, VK_PIPELINE_STAGE_BOTTOM_OF_PIPE_BIT, command.query, 0);
      break;
  }
}

void Stream::record_dispatch(const Batch& batch, const Command& command, VkDescriptorSet set) {
  std::array<VkDescriptorBufferInfo, max_bindings> buffers;
  // All of them, also those that the shader does not use: lavapipe reads what an earlier use of the set left there, and
  // that buffer may be gone.
  const Buffer& nothing = device_.nothing();
  buffers.fill({nothing.buffer, 0, nothing.bytes});
  for (std::uint32_t i = 0; i < command.range_count; ++i)
    buffers[i] = {command.ranges[i].buffer, command.ranges[i].offset, command.ranges[i].bytes};
  auto write = make<VkWriteDescriptorSet>(VK_STRUCTURE_TYPE_WRITE_DESCRIPTOR_SET);
  write.dstSet = set;
  write.descriptorCount = max_bindings;
  write.descriptorType = VK_DESCRIPTOR_TYPE_STORAGE_BUFFER;
  write.pBufferInfo = buffers.data();
  api_.UpdateDescriptorSets(device_.handle(), 1, &write, 0, nullptr);
  const VkPipelineLayout layout = device_.pipelines().layout();
  api_.CmdBindPipeline(batch.buffer, VK_PIPELINE_BIND_POINT_COMPUTE, command.pipeline);
  api_.CmdBindDescriptorSets(batch.buffer, VK_PIPELINE_BIND_POINT_COMPUTE, layout, 0, 1, &set, 0, nullptr);
  if (command.push_bytes != 0) {
    api_.CmdPushConstants(batch.buffer, layout, VK_SHADER_STAGE_COMPUTE_BIT, 0, command.push_bytes,
                          command.push.data());
  }
  api_.CmdDispatch(batch.buffer, command.groups[0], command.groups[1], command.groups[2]);
}

}  // namespace tenon::vulkan
