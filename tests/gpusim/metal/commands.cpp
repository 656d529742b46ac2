#include "commands.h"

namespace gpusim::metal {
namespace {

const Class queue_class{
    nullptr, "MTLCommandQueue", {{"commandBuffer", method<&Queue::command_buffer>()}}, destroy_as<Queue>};
const Class buffer_class{nullptr,
                         "MTLCommandBuffer",
                         {{"device", method<&CommandBuffer::device>()},
                          {"status", method<&CommandBuffer::status_>()},
                          {"error", method<&CommandBuffer::error>()},
                          {"GPUStartTime", method<&CommandBuffer::start>()},
                          {"GPUEndTime", method<&CommandBuffer::end>()},
                          {"computeCommandEncoder", method<&CommandBuffer::compute_encoder>()},
                          {"blitCommandEncoder", method<&CommandBuffer::blit_encoder>()},
                          {"encodeWaitForEvent:value:", method<&CommandBuffer::wait_for>()},
                          {"encodeSignalEvent:value:", method<&CommandBuffer::signal>()},
                          {"commit", method<&CommandBuffer::commit>()},
                          {"waitUntilCompleted", method<&CommandBuffer::wait>()}},
                         destroy_as<CommandBuffer>};

constexpr long timeout = 2;
bool fails() { return System::get().planned_failure() != 0; }
void complain(const std::string& words) { System::get().complain(words); }

}  // namespace

// -- queues -----------------------------------------------------------------------------------------------------------

Queue::Queue(Gpu& of) : Object(queue_class), gpu(&of) {}

Object* Queue::command_buffer() { return fails() ? nullptr : autoreleased(new CommandBuffer(*this)); }

// In order: what Metal could do at once does not touch the same buffers.
bool Queue::step() {
  if (pending.empty()) return false;
  const Ref<CommandBuffer> oldest = pending.front();
  if (!oldest->step()) return false;
  if (oldest->is_over()) pending.pop_front();
  return true;
}

void Queue::give_up() {
  for (const Ref<CommandBuffer>& commands : pending) {
    complain("a command buffer waits for a value that nobody signals");
    commands->finish(timeout, "caused GPU timeout error");
  }
  pending.clear();
}

// -- command buffers --------------------------------------------------------------------------------------------------

CommandBuffer::CommandBuffer(Queue& of) : Object(buffer_class), queue(&of) {}

Object* CommandBuffer::device() { return queue->gpu.get(); }

unsigned long CommandBuffer::status_() {
  if (status >= committed && !is_over()) System::get().polled();
  return status;
}

Object* CommandBuffer::error() { return status == failed ? autoreleased(new Error(error_code, error_words)) : nullptr; }

double CommandBuffer::end() {
  if (!is_over()) complain("GPUEndTime of a command buffer that is not completed");
  return ended;
}

bool CommandBuffer::may_encode(const char* what) {
  if (status != not_enqueued) {
    complain(std::string(what) + ": the command buffer was committed already");
    return false;
  }
  if (open != nullptr) {
    complain(std::string(what) + ": an encoder of the command buffer was not ended");
    return false;
  }
  return true;
}

Object* CommandBuffer::compute_encoder() {
  if (fails() || !may_encode("computeCommandEncoder")) return nullptr;
  return autoreleased(new ComputeEncoder(*this));
}
Object* CommandBuffer::blit_encoder() {
  if (fails() || !may_encode("blitCommandEncoder")) return nullptr;
  return autoreleased(new BlitEncoder(*this));
}

void CommandBuffer::wait_for(SharedEvent* event, std::uint64_t value) {
  if (event == nullptr) return complain("encodeWaitForEvent: was given nil");
  if (may_encode("encodeWaitForEvent")) add({[] { return true; }, Ref<SharedEvent>(event), value});
}

void CommandBuffer::signal(SharedEvent* event, std::uint64_t value) {
  if (event == nullptr) return complain("encodeSignalEvent: was given nil");
  if (!may_encode("encodeSignalEvent")) return;
  add({[event = Ref<SharedEvent>(event), value] {
         if (value <= event->value) complain("an event is signalled with a value that it has passed");
         event->value = value;
         return true;
       },
       {},
       0});
}

void CommandBuffer::commit() {
  if (!may_encode("commit")) return;
  planned_error = System::get().planned_failure();
  status = committed;
  queue->pending.emplace_back(this);
  System::get().committed(*queue);
}

void CommandBuffer::wait() {
  if (status < committed) return complain("waitUntilCompleted: the command buffer was not committed");
  if (System::get().work_until([&] { return is_over(); })) return;
  complain("a command buffer waits for a value that nobody signals");
  while (!is_over()) {
    const Ref<CommandBuffer> oldest = queue->pending.front();
    queue->pending.pop_front();
    oldest->finish(timeout, "caused GPU timeout error");
  }
}

bool CommandBuffer::step() {
  if (status == committed) {
    status = scheduled;
    started = System::get().now();
  }
  if (planned_error != 0) {
    finish(planned_error, "failed as planned");
    return true;
  }
  if (!steps.empty()) {
    Step& next = steps.front();
    if (next.waits_for && next.waits_for->value < next.value) return false;
    const bool went_well = next.run();
    steps.pop_front();
    if (!went_well) finish(3, "caused GPU address fault error");
  } else {
    finish(0, {});
  }
  return true;
}

// "All the resources that it refers to" are let go of when it is over.
void CommandBuffer::finish(long code, const std::string& words) {
  steps.clear();
  status = code == 0 ? completed : failed;
  error_code = code;
  error_words = words;
  ended = System::get().now();
}

}  // namespace gpusim::metal
