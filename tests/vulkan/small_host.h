// small_host.h: the plugin driven through its tables as a host does, on the unruly layer, again and again in one
// process: a visit from initialize() to shutdown(), and what became of it.
//
// One thread. The library stays loaded.
#pragma once
#include <dlfcn.h>
#include <gtest/gtest.h>

#include <numeric>

#include "unit/plugins/harness.h"
#include "unruly/unruly.h"

namespace tenon::test {

/// The layer's functions, once the loader has opened it.
class Unruly {
 public:
  static Unruly& instance() {
    static Unruly unruly;
    return unruly;
  }
  decltype(&unruly_plan) plan;
  decltype(&unruly_faults) faults;
  decltype(&unruly_calls) calls;
  decltype(&unruly_calls_of_this_thread) calls_of_this_thread;
  decltype(&unruly_failed) failed;
  decltype(&unruly_bytes_of_type) bytes_of_type;

 private:
  Unruly() {
    ::setenv("VK_ADD_LAYER_PATH", TENON_TEST_UNRULY, 1);
    ::setenv("VK_INSTANCE_LAYERS", "VK_LAYER_TENON_unruly", 1);
    library_ = ::dlopen(TENON_TEST_UNRULY "/libVkLayer_tenon_unruly.so", RTLD_NOW | RTLD_LOCAL);
    load(plan, "unruly_plan"), load(faults, "unruly_faults"), load(calls, "unruly_calls");
    load(calls_of_this_thread, "unruly_calls_of_this_thread"), load(failed, "unruly_failed");
    load(bytes_of_type, "unruly_bytes_of_type");
  }
  template <class Function>
  void load(Function& function, const char* name) {
    function = reinterpret_cast<Function>(::dlsym(library_, name));
  }
  void* library_;
};

/// What the plugin told its host.
struct Said {
  static inline std::string error, lost;
  static inline std::int32_t code = 0;
  static inline std::int32_t end = TENON_OK;  // what giving back answered: the first error
  static inline std::uint64_t lost_cookie = 0;
};

inline const tenon_host* small_host() {
  static const tenon_host host = [] {
    tenon_host made = *testing::TestHost::table();
    made.set_error = [](std::int32_t code, const char* words) { Said::code = code, Said::error = words; };
    made.device_lost = [](std::uint64_t cookie, std::int32_t, const char* words) {
      Said::lost_cookie = cookie, Said::lost = words;
    };
    return made;
  }();
  return &host;
}

inline const tenon_plugin* vulkan_plugin() {
  static const tenon_plugin* const plugin = [] {
    void* library = ::dlopen(TENON_TEST_BUILD_DIR "/lib/tenon-plugins/tenon_vulkan.so", RTLD_NOW | RTLD_LOCAL);
    const auto ask = reinterpret_cast<decltype(&tenon_plugin_query)>(::dlsym(library, "tenon_plugin_query"));
    tenon_query query{};
    query.magic = TENON_QUERY_MAGIC, query.size = sizeof query;
    query.abi_min = TENON_ABI_OLDEST, query.abi_max = TENON_ABI, query.sanitizer = plugin::sanitizers;
    query.host_table = [](std::uint32_t) -> const void* { return small_host(); };
    tenon_reply reply{};
    reply.size = sizeof reply;
    return ask(&query, &reply) == TENON_OK ? reply.plugin : nullptr;
  }();
  return plugin;
}

/// The plugin from initialize() to shutdown(), with what was made on it: all is given back in the order of a host, also
/// where something failed.
class Visit {
 public:
  static constexpr std::uint64_t cookie = 77;

  Visit() : devices_(*vulkan_plugin()->devices) {
    Said::error.clear(), Said::lost.clear(), Said::code = 0, Said::end = TENON_OK;
    step("initialize", vulkan_plugin()->initialize(nullptr, 0, &self_));
  }
  ~Visit() {
    if (stream != nullptr && !finished_) static_cast<void>(devices_.stream_synchronize(stream, TENON_FOREVER));
    call_.reset();
    for (const tenon_memory& memory : memory_) ended(devices_.memory_free(device, memory.memory));
    for (tenon_event* event : events_) ended(devices_.event_destroy(event));
    if (stream != nullptr) ended(devices_.stream_destroy(stream));
    if (device != nullptr) ended(devices_.close(device));
    if (self_ != nullptr) vulkan_plugin()->shutdown(self_);
  }
  Visit(const Visit&) = delete;
  Visit& operator=(const Visit&) = delete;

  /// Notes the first failure; answers whether all is well so far.
  bool step(const char* what, std::int32_t result) {
    if (!failure.empty() || result == TENON_OK) return failure.empty();
    failure = what, status = result, words = Said::error;
    return false;
  }

  bool open(std::uint32_t ordinal = 0) {
    const auto sink = [](void* to, const tenon_device_info* info) {
      static_cast<std::vector<std::string>*>(to)->push_back(info->usable == 0 ? info->name : info->why_unusable);
    };
    return failure.empty() && step("enumerate", devices_.enumerate(self_, sink, &names)) &&
           step("open", devices_.open(self_, ordinal, cookie, nullptr, 0, &device)) &&
           step("stream_create", devices_.stream_create(device, 0, &stream));
  }
  std::int32_t open_another(std::uint32_t ordinal, tenon_device** other) {
    return devices_.open(self_, ordinal, cookie + 1, nullptr, 0, other);
  }
  tenon_ref memory(std::uint64_t bytes, std::uint32_t kind = TENON_MEMORY_DEVICE) {
    tenon_memory made{};
    made.size = sizeof made;
    if (failure.empty() && step("memory_alloc", devices_.memory_alloc(device, bytes, 256, kind, &made)))
      memory_.push_back(made);
    return {made.memory, 0};
  }
  void* mapped() const { return memory_.back().host; }
  tenon_event* event() {
    tenon_event* made = nullptr;
    if (failure.empty() && step("event_create", devices_.event_create(device, 0, &made))) events_.push_back(made);
    return made;
  }
  bool write(tenon_ref to, const std::vector<float>& values) {
    return step("copy_in", devices_.copy_in(stream, to, values.data(), values.size() * sizeof(float)));
  }
  bool read(std::vector<float>& values, tenon_ref from) {
    return step("copy_out", devices_.copy_out(stream, values.data(), from, values.size() * sizeof(float)));
  }
  bool synchronize() { return step("stream_synchronize", devices_.stream_synchronize(stream, TENON_FOREVER)); }

  /// A kernel of vulkan.strict.<name>, whose operands are so many floats.
  bool prepare(const std::string& name, std::int64_t elements, std::uint32_t operands) {
    capsule_ = nullptr;
    for (std::uint32_t i = 0; i < vulkan_plugin()->capsule_count; ++i) {
      if (std::string("vulkan.strict.") + name == vulkan_plugin()->capsules[i]->name)
        capsule_ = vulkan_plugin()->capsules[i];
    }
    call_ = std::make_unique<testing::Call>(capsule_, name);
    call_->on(device);
    const std::vector<float> values(static_cast<std::size_t>(elements));
    for (std::uint32_t i = 0; i < operands; ++i) call_->operand<float>({elements}, values);
    call_->output<float>({elements});
    return step("prepare", call_->prepare());
  }
  bool launch(std::vector<tenon_ref> tensors) {
    const tenon_args args{tensors.data(), nullptr, {}, {}, nullptr, 1, {}};
    return step("launch", capsule_->launch(call_->kernel.kernel, &args, stream));
  }
  const tenon_devices& devices() const { return devices_; }
  testing::Call& call() { return *call_; }
  /// Nobody synchronises any more: what is left is under way when it is given back.
  void leave_under_way() { finished_ = true; }

  tenon_device* device = nullptr;
  tenon_stream* stream = nullptr;
  std::vector<std::string> names;
  std::string failure, words;  // the first call that failed, and what the plugin said
  std::int32_t status = TENON_OK;

 private:
  void ended(std::int32_t result) {
    if (Said::end == TENON_OK) Said::end = result;
  }

  const tenon_devices& devices_;
  void* self_ = nullptr;
  bool finished_ = false;
  std::vector<tenon_memory> memory_;
  std::vector<tenon_event*> events_;
  const tenon_capsule* capsule_ = nullptr;
  std::unique_ptr<testing::Call> call_;
};

/// Skips where the machine has no Vulkan device.
class OnUnruly : public ::testing::Test {
 protected:
  void SetUp() override {
    ASSERT_NE(unruly.plan, nullptr);
    ASSERT_NE(vulkan_plugin(), nullptr);
    unruly.plan("");
    Visit visit;
    if (!visit.open()) GTEST_SKIP() << "no Vulkan device (Debian: mesa-vulkan-drivers): " << visit.words;
  }
  void TearDown() override { unruly.plan(""); }
  Unruly& unruly = Unruly::instance();
};

}  // namespace tenon::test
