// late_device.h: the fake device of tests/fakes/late, opened, with one stream, for tests. Closes what it opened.
#pragma once
#include "../../fakes/late/device.h"
#include "harness.h"

namespace tenon::testing {

inline const tenon_capsule* find_late(const std::string& name) {
  const tenon_plugin& plugin = *late::table();
  for (std::uint32_t i = 0; i < plugin.capsule_count; ++i) {
    if ("late." + name == plugin.capsules[i]->name) return plugin.capsules[i];
  }
  return nullptr;
}

class LateDevice : public PluginTest {
 protected:
  LateDevice() {
    EXPECT_EQ(late::table()->initialize(nullptr, 0, &self), TENON_OK);
    EXPECT_EQ(devices.open(self, 0, 0, nullptr, 0, &device), TENON_OK);
    EXPECT_EQ(devices.stream_create(device, 0, &stream), TENON_OK);
  }
  ~LateDevice() override {
    devices.stream_destroy(stream);
    for (const std::uint64_t memory : allocated) devices.memory_free(device, memory);
    EXPECT_EQ(devices.close(device), TENON_OK) << TestHost::error;
    late::table()->shutdown(self);
  }

  tenon_ref allocate(std::uint64_t bytes) {
    tenon_memory memory{};
    memory.size = sizeof memory;
    EXPECT_EQ(devices.memory_alloc(device, bytes, 64, TENON_MEMORY_DEVICE, &memory), TENON_OK) << TestHost::error;
    EXPECT_EQ(memory.host, nullptr);
    allocated.push_back(memory.memory);
    return {memory.memory, 0};
  }
  void free(tenon_ref ref) {
    std::erase(allocated, ref.memory);
    EXPECT_EQ(devices.memory_free(device, ref.memory), TENON_OK) << TestHost::error;
  }

  template <class T>
  tenon_ref upload(const std::vector<T>& values) {
    const tenon_ref ref = allocate(values.size() * sizeof(T));
    EXPECT_EQ(devices.copy_in(stream, ref, values.data(), values.size() * sizeof(T)), TENON_OK);
    EXPECT_EQ(synchronize(), TENON_OK);
    return ref;
  }
  template <class T>
  std::vector<T> download(tenon_ref ref, std::size_t count) {
    std::vector<T> values(count);
    EXPECT_EQ(devices.copy_out(stream, values.data(), ref, count * sizeof(T)), TENON_OK) << TestHost::error;
    EXPECT_EQ(synchronize(), TENON_OK) << TestHost::error;
    return values;
  }

  std::int32_t launch(const tenon_capsule* capsule, const Call& call, const std::vector<tenon_ref>& refs,
                      const tenon_scalar* scalars = nullptr, std::uint64_t launch_id = 1) {
    const tenon_args args{refs.data(), scalars, {}, workspace, nullptr, launch_id, {}};
    return capsule->launch(call.kernel.kernel, &args, stream);
  }
  std::int32_t synchronize() { return devices.stream_synchronize(stream, TENON_FOREVER); }

  const tenon_devices& devices = late::devices;
  void* self = nullptr;
  tenon_device* device = nullptr;
  tenon_stream* stream = nullptr;
  tenon_ref workspace{};
  std::vector<std::uint64_t> allocated;
};

}  // namespace tenon::testing
