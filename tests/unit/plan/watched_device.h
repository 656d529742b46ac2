// watched_device.h: a device whose launches are timed by events: the CPU's, with stamps that are counted here, and a
// fill that may work on after its launch. A test exchanges the functions that fail. One at a time.
#pragma once
#include "host_table.h"
#include "support/plugin_of.h"
#include "support/test_device.h"
#include "tenon/kernel.h"

namespace tenon::test {

inline std::int32_t refuse_with_words(const char* words) {
  static_cast<const tenon_host*>(host::host_table(TENON_ABI))->set_error(TENON_ERROR_INVALID_ARGUMENT, words);
  return TENON_ERROR_INVALID_ARGUMENT;
}

/// The host's table of a plugin, with functions of the test's for as long as it stands.
class StampedTable {
 public:
  explicit StampedTable(LoadedPlugin& plugin)
      : table(const_cast<tenon_devices&>(plugin.devices())), plain_(plugin.devices()) {
    enumerate = plain_.enumerate;
    made = 0;
    table.enumerate = [](void* self, tenon_device_sink* sink, void* context) {
      Told told{sink, context};
      return enumerate(self, tell_stamped, &told);
    };
    table.event_create = [](tenon_device*, std::uint32_t, tenon_event** event) -> std::int32_t {
      *event = reinterpret_cast<tenon_event*>(&stamps.at(made++));
      return TENON_OK;
    };
    table.event_destroy = [](tenon_event*) -> std::int32_t { return TENON_OK; };
    table.event_record = [](tenon_event* event, tenon_stream*) -> std::int32_t {
      *reinterpret_cast<std::uint64_t*>(event) = now_ns += 1000;
      return TENON_OK;
    };
    table.event_wait = [](tenon_event*, std::uint64_t) -> std::int32_t { return TENON_OK; };
    table.event_elapsed_ns = [](tenon_event* from, tenon_event* to, std::uint64_t* ns) -> std::int32_t {
      *ns = *reinterpret_cast<std::uint64_t*>(to) - *reinterpret_cast<std::uint64_t*>(from);
      return TENON_OK;
    };
  }
  ~StampedTable() { table = plain_; }
  StampedTable(const StampedTable&) = delete;

  tenon_devices& table;

 private:
  struct Told {
    tenon_device_sink* tell;
    void* context;
  };
  static void tell_stamped(void* context, const tenon_device_info* plain) {
    tenon_device_info info = *plain;
    info.flags |= TENON_DEVICE_TIMESTAMPS;
    const auto& told = *static_cast<Told*>(context);
    told.tell(told.context, &info);
  }
  static inline decltype(tenon_devices::enumerate) enumerate = nullptr;
  static inline std::array<std::uint64_t, 64> stamps{};
  static inline std::size_t made = 0;
  static inline std::uint64_t now_ns = 0;

  const tenon_devices plain_;
};

/// The device and its kernel, once it is opened.
class Watched {
 public:
  /// `launch`: null for the CPU's own.
  explicit Watched(decltype(tenon_capsule::launch) launch = nullptr) : launch_(launch) {}

  /// Its functions, to be exchanged before it is opened.
  tenon_devices& table() { return stamped_.table; }

  void open() {
    auto opened = Device::open(plugin_, "cpu", 0);
    ASSERT_TRUE(opened) << to_string(opened.error());
    device = *std::move(opened);
    registry_.emplace(device,
                      std::vector<std::shared_ptr<LoadedPlugin>>{
                          std::make_shared<PluginOf>("stamped", std::vector{asynchronous_fill()})},
                      SelectionPolicy{});
    const TensorType filled{DType::f32, Shape{3}};
    const auto kernel =
        Kernel::prepare(*registry_, {Op::fill, Constant{Shape{3}, 1}, {}, {filled}, GradientMode::training});
    ASSERT_TRUE(kernel) << to_string(kernel.error());
    fill = *kernel;
  }

 private:
  static std::shared_ptr<LoadedPlugin> load() {
    const auto catalogue = Catalogue::scan(search_with_fakes());
    return *LoadedPlugin::load(*find_plugin(*parse_device("cpu", *catalogue), *catalogue), {});
  }

  tenon_capsule asynchronous_fill() const {
    for (const tenon_capsule* capsule : plugin_->capsules()) {
      if (std::string_view(capsule->op) != "fill") continue;
      tenon_capsule changed = *capsule;
      changed.traits |= TENON_TRAIT_ASYNC;
      if (launch_ != nullptr) changed.launch = launch_;
      return changed;
    }
    ADD_FAILURE() << "the CPU has no fill";
    return {};
  }

  std::shared_ptr<LoadedPlugin> plugin_ = load();
  StampedTable stamped_{*plugin_};
  decltype(tenon_capsule::launch) launch_;
  std::optional<Registry> registry_;

 public:
  std::shared_ptr<Device> device;
  std::shared_ptr<const Kernel> fill;
};

}  // namespace tenon::test
