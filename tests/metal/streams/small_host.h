// small_host.h: the plugin driven through its tables as a host does, on the fake Metal of this process: a visit from
// open() to close(), and what became of it.
//
// One thread. The library and the plugin's object stay, as they do with a host.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <numeric>

#include "control.h"
#include "unit/plugins/harness.h"

namespace tenon::test {

/// What the plugin told its host.
struct Said {
  static inline std::string error, lost;
};

inline const tenon_host* small_host() {
  static const tenon_host host = [] {
    tenon_host made = *testing::TestHost::table();
    made.set_error = [](std::int32_t, const char* words) { Said::error = words; };
    made.device_lost = [](std::uint64_t, std::int32_t, const char* words) { Said::lost = words; };
    return made;
  }();
  return &host;
}

/// TENON_TEST_METAL_PLUGIN names another library.
struct Loaded {
  const tenon_plugin* plugin = nullptr;
  void* self = nullptr;

  Loaded() {
    ::setenv("TENON_GPUSIM_KERNELS", METAL_KERNELS, 1);
    ::setenv("TENON_GPUSIM_LEAKS", "error", 1);
    const char* other = std::getenv("TENON_TEST_METAL_PLUGIN");
    void* library = ::dlopen(other != nullptr ? other : METAL_PLUGINS "/metal/tenon_metal.so", RTLD_NOW | RTLD_LOCAL);
    const auto ask = reinterpret_cast<decltype(&tenon_plugin_query)>(::dlsym(library, "tenon_plugin_query"));
    tenon_query query{};
    query.magic = TENON_QUERY_MAGIC, query.size = sizeof query;
    query.abi_min = TENON_ABI_OLDEST, query.abi_max = TENON_ABI, query.sanitizer = plugin::sanitizers;
    query.host_table = [](std::uint32_t) -> const void* { return small_host(); };
    tenon_reply reply{};
    reply.size = sizeof reply;
    if (ask(&query, &reply) == TENON_OK) plugin = reply.plugin;
    if (plugin != nullptr) plugin->initialize(nullptr, 0, &self);
  }
};
inline Loaded& loaded() {
  static Loaded loaded;
  return loaded;
}

class OnMetal : public ::testing::Test {
 protected:
  static constexpr std::size_t elements = 100;

  void SetUp() override {
    ASSERT_NE(loaded().plugin, nullptr);
    ASSERT_EQ(d.open(loaded().self, 0, 77, nullptr, 0, &device), TENON_OK) << Said::error;
    stream = another_stream();
    x = memory(elements * sizeof(float)), sum = memory(elements * sizeof(float));
    values.resize(elements);
    std::iota(values.begin(), values.end(), 1.0f);
    prepare();
    ASSERT_EQ(write(x, values), TENON_OK);
    ASSERT_EQ(write(sum, std::vector<float>(elements)), TENON_OK);
    ASSERT_EQ(synchronize(), TENON_OK);
  }
  void TearDown() override {
    for (tenon_stream* one : streams_) static_cast<void>(d.stream_synchronize(one, TENON_FOREVER));
    call_.reset();
    for (const tenon_memory& one : memory_) EXPECT_EQ(d.memory_free(device, one.memory), TENON_OK);
    for (tenon_event* one : events_) EXPECT_EQ(d.event_destroy(one), TENON_OK);
    for (tenon_stream* one : streams_) EXPECT_EQ(d.stream_destroy(one), TENON_OK);
    EXPECT_EQ(d.close(device), TENON_OK);
  }

  tenon_stream* another_stream() {
    tenon_stream* made = nullptr;
    EXPECT_EQ(d.stream_create(device, 0, &made), TENON_OK) << Said::error;
    streams_.push_back(made);
    return made;
  }
  tenon_event* another_event() {
    tenon_event* made = nullptr;
    EXPECT_EQ(d.event_create(device, 0, &made), TENON_OK);
    events_.push_back(made);
    return made;
  }
  tenon_ref memory(std::uint64_t bytes) {
    tenon_memory made{};
    made.size = sizeof made;
    EXPECT_EQ(d.memory_alloc(device, bytes, 64, TENON_MEMORY_DEVICE, &made), TENON_OK);
    memory_.push_back(made);
    return {made.memory, 0};
  }
  std::int32_t write(tenon_ref to, const std::vector<float>& from) {
    return d.copy_in(stream, to, from.data(), from.size() * sizeof(float));
  }
  std::int32_t read(std::vector<float>& to, tenon_ref from) {
    to.resize(elements);
    return d.copy_out(stream, to.data(), from, elements * sizeof(float));
  }
  std::int32_t synchronize() { return d.stream_synchronize(stream, TENON_FOREVER); }

  /// x is added to the sum so often.
  void add(std::size_t times) {
    const tenon_ref tensors[] = {sum, x, sum};
    const tenon_args args{tensors, nullptr, {}, {}, nullptr, 1, {}};
    for (std::size_t i = 0; i < times; ++i) ASSERT_EQ(capsule_->launch(call_->kernel.kernel, &args, stream), TENON_OK);
  }
  void expect_sum(std::size_t times) {
    std::vector<float> found;
    ASSERT_EQ(read(found, sum), TENON_OK) << Said::error;
    ASSERT_EQ(synchronize(), TENON_OK) << Said::error;
    for (std::size_t i = 0; i < elements; ++i) EXPECT_EQ(found[i], static_cast<float>(times) * values[i]) << i;
  }

  const tenon_devices& d = *loaded().plugin->devices;
  tenon_device* device = nullptr;
  tenon_stream* stream = nullptr;
  tenon_ref x{}, sum{};
  std::vector<float> values;

 private:
  void prepare() {
    for (std::uint32_t i = 0; i < loaded().plugin->capsule_count; ++i) {
      if (std::string("metal.strict.add.f32") == loaded().plugin->capsules[i]->name)
        capsule_ = loaded().plugin->capsules[i];
    }
    call_ = std::make_unique<testing::Call>(capsule_, "add.f32");
    call_->on(device);
    for (int i = 0; i < 2; ++i) call_->operand<float>({elements}, values);
    call_->output<float>({elements});
    ASSERT_EQ(call_->prepare(), TENON_OK) << Said::error;
  }
  const tenon_capsule* capsule_ = nullptr;
  std::unique_ptr<testing::Call> call_;
  std::vector<tenon_memory> memory_;
  std::vector<tenon_event*> events_;
  std::vector<tenon_stream*> streams_;
};

}  // namespace tenon::test
