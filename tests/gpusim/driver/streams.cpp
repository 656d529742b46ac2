// Streams, events and callbacks of a fake driver, and when the work in them is done.
#include <algorithm>

#include "driver.h"

namespace gpusim::driver {

Stream* Driver::stream(void* handle) {
  if (handle == nullptr) unmodelled("the default stream, which waits for others: create one");
  Stream* stream = known(streams_, handle, "stream");
  if (stream == nullptr || stream->destroyed) {
    if (stream != nullptr) complain(now_, "was given a destroyed stream", invalid_handle);
    return nullptr;
  }
  // "The stream's context must be the current one" is what launches ask for, and a good rule for all.
  if (stream->device != current()->device) {
    complain(now_, "was given a stream of another device than the current", invalid_handle);
    return nullptr;
  }
  return stream;
}

Status Driver::enqueue(Stream& stream, Work work) {
  ++works_;
  stream.queue.push_back(std::move(work));
  return success;
}

void Driver::step(Stream& stream) {
  Work work = std::move(stream.queue.front());
  stream.queue.pop_front();
  ++clock_;
  Context& context = *contexts_[std::size_t(stream.device)];
  const Status status = work.run == nullptr ? success : work.run(context.error);
  if (context.error == success) context.error = status;
}

bool Driver::step_any() {
  std::vector<Stream*> ready;
  streams_.each([&](Stream& s) {
    if (s.may_go_on()) ready.push_back(&s);
  });
  if (ready.empty()) return false;
  step(*ready[random_.below(ready.size())]);
  return true;
}

// A recording that a stream waits for is in another stream's queue, since nobody can wait for what is yet to be
// recorded; so some stream can always go on.
void Driver::drain(Stream& stream) {
  while (!stream.queue.empty()) {
    if (stream.may_go_on()) {
      step(stream);
    } else if (!step_any()) {
      unmodelled("streams that wait for each other");
    }
  }
  observe(stream, stream.freed_bytes);
}

// The host has seen that the stream came as far as to have freed so much.
void Driver::observe(Stream& stream, std::size_t freed_bytes) {
  if (freed_bytes <= stream.seen_freed_bytes) return;
  std::size_t& unseen_bytes = contexts_[std::size_t(stream.device)]->unseen_bytes;
  unseen_bytes -= std::min(unseen_bytes, freed_bytes - stream.seen_freed_bytes);
  stream.seen_freed_bytes = freed_bytes;
}

void Driver::run_until_done(const std::shared_ptr<Recording>& recording) {
  while (recording != nullptr && !recording->done && step_any()) {
  }
  if (recording != nullptr && streams_.find(recording->stream) != nullptr)
    observe(*recording->stream, recording->freed_bytes);
}

void Driver::let_time_pass() {
  if (settings_.lateness == Lateness::at_once) {
    while (step_any()) {
    }
  }
  if (settings_.lateness == Lateness::random) {
    for (auto steps = random_.below(4); steps > 0; --steps) step_any();
  }
  forget_finished_streams();
}

void Driver::forget_finished_streams() {
  streams_.remove_if([](const Stream& s) { return s.destroyed && s.queue.empty(); });
}

// -- streams --------------------------------------------------------------------------------------------------------

Status Driver::create_stream(void** handle) {
  if (handle == nullptr) return invalid_value;
  *handle = streams_.add(Stream{.device = current()->device, .queue = {}});
  return success;
}

Status Driver::destroy_stream(void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  s->destroyed = true;
  return success;
}

Status Driver::synchronize(void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  drain(*s);
  return current()->error;
}

Status Driver::synchronize_context() {
  const int device = current()->device;
  streams_.each([&](Stream& s) {
    if (s.device == device) drain(s);
  });
  return current()->error;
}

// Whoever asks again and again gets there: each question lets one piece of work be done, of any stream.
Status Driver::query(void* handle) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  if (!s->queue.empty()) step_any();
  if (current()->error != success) return current()->error;
  if (!s->queue.empty()) return not_ready;
  drain(*s);
  return success;
}

Status Driver::wait(void* handle, void* event_handle) {
  Stream* s = stream(handle);
  const Event* event = known(events_, event_handle, "event");
  if (s == nullptr || event == nullptr) return invalid_handle;
  if (event->complete()) return success;
  return enqueue(*s, {.run = nullptr, .after = event->last});
}

// "The callback may be passed CUDA_SUCCESS or an error code" and "must not make any CUDA API calls"
// (cuStreamAddCallback).
Status Driver::add_callback(void* handle, std::function<void(Status)> callback) {
  Stream* s = stream(handle);
  if (s == nullptr) return invalid_handle;
  return enqueue(*s, {.run =
                          [call = std::move(callback)](Status error) {
                            in_callback() = true;
                            call(error);
                            in_callback() = false;
                            return success;
                          },
                      .after = nullptr});
}

// -- events ---------------------------------------------------------------------------------------------------------

Status Driver::create_event(void** handle, bool timed) {
  if (handle == nullptr) return invalid_value;
  *handle = events_.add(Event{.device = current()->device, .timed = timed, .last = nullptr});
  return success;
}

// "An event may be destroyed before it is complete" (cuEventDestroy): who waits for the recording keeps it.
Status Driver::destroy_event(void* handle) {
  if (known(events_, handle, "event") == nullptr) return invalid_handle;
  events_.remove(handle);
  return success;
}

Status Driver::record(void* handle, void* stream_handle) {
  Stream* s = stream(stream_handle);
  Event* event = known(events_, handle, "event");
  if (s == nullptr || event == nullptr) return invalid_handle;
  if (event->device != s->device)
    return complain(now_, "was given an event and a stream of two devices", invalid_handle);
  event->last = std::make_shared<Recording>();
  event->last->stream = s;
  return enqueue(*s, {.run =
                          [this, recording = event->last](Status) {
                            recording->done = true;
                            recording->time = clock_;
                            recording->freed_bytes = recording->stream->freed_bytes;
                            return success;
                          },
                      .after = nullptr});
}

Status Driver::query_event(void* handle) {
  const Event* event = known(events_, handle, "event");
  if (event == nullptr) return invalid_handle;
  if (!event->complete()) step_any();
  if (current()->error != success) return current()->error;
  if (!event->complete()) return not_ready;
  run_until_done(event->last);
  return success;
}

Status Driver::synchronize_event(void* handle) {
  const Event* event = known(events_, handle, "event");
  if (event == nullptr) return invalid_handle;
  run_until_done(event->last);
  return current()->error;
}

// Time is a count of what was done. "If either event has not been recorded ... or was created with
// CU_EVENT_DISABLE_TIMING, CUDA_ERROR_INVALID_HANDLE" (cuEventElapsedTime).
Status Driver::elapsed(float* milliseconds, void* from, void* to) {
  const Event* begin = known(events_, from, "event");
  const Event* end = known(events_, to, "event");
  if (begin == nullptr || end == nullptr || !begin->timed || !end->timed) return invalid_handle;
  if (begin->last == nullptr || end->last == nullptr) return invalid_handle;
  if (!begin->complete() || !end->complete()) return not_ready;
  *milliseconds = (float(end->last->time) - float(begin->last->time)) * 0.001f;
  return success;
}

}  // namespace gpusim::driver
