#include "device.h"

#include "stream.h"

namespace tenon::metal {

Device::Device(const Gpu& gpu, std::uint64_t cookie)
    : gpu_(gpu),
      cookie_(cookie),
      memory_(gpu.device, gpu.unified, gpu.memory_bytes),
      pipelines_(gpu.device),
      nothing_(memory_.allocate(256, Memory::Place::device)) {}

Device::~Device() { memory_.free(nothing_); }

void Device::add(Stream& stream) {
  const std::lock_guard lock(streams_mutex_);
  streams_.push_back(&stream);
}

void Device::remove(Stream& stream) {
  const std::lock_guard lock(streams_mutex_);
  std::erase(streams_, &stream);
}

void Device::drain() {
  const std::lock_guard lock(streams_mutex_);
  for (Stream* stream : streams_) stream->synchronize(TENON_FOREVER);
}

void Device::lose(const char* words) {
  if (lost_.exchange(true)) return;
  if (plugin::host != nullptr) plugin::host->device_lost(cookie_, TENON_ERROR_DEVICE_LOST, words);
}

void Device::refuse_if_lost(std::string_view doing) const {
  if (lost_)
    throw plugin::KernelError(TENON_ERROR_DEVICE_LOST, plugin::text("[metal] ", doing, ": the device is lost"));
}

}  // namespace tenon::metal
