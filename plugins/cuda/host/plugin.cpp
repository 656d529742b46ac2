#include "plugin.h"

#include "vendor.h"

namespace tenon::gpu {
namespace {

using plugin::KernelError;
using plugin::refuse;
using plugin::text;

constexpr std::uint32_t base_alignment_bytes = 256, offset_alignment_bytes = 16;  // a pack's

/// What there is to say of a device, with the texts that the description points to.
struct Description {
  std::string name, driver, architecture, trouble;
  tenon_device_info info{};

  Description() {
    info.size = sizeof info;
    info.device_class = TENON_CLASS_GPU;
    info.kind = info.memory_domain = TENON_GPU_KIND;
    info.base_alignment_bytes = base_alignment_bytes;
    info.offset_alignment_bytes = offset_alignment_bytes;
    info.native_float = plugin::dtype_of<float>;
  }
  void refuse_use(const Absence& absence) {
    info.usable = absence.reason;
    trouble = absence.words;
  }
  void send(tenon_device_sink* sink, void* context) {
    info.name = name.c_str();
    info.driver = driver.c_str();
    info.architecture = architecture.c_str();
    info.why_unusable = info.usable == 0 ? nullptr : trouble.c_str();
    sink(context, &info);
  }
};

/// One line that stands for the devices that nobody can see.
void send_absence(const Absence& absence, const std::string& driver, tenon_device_sink* sink, void* context) {
  Description description;
  description.driver = driver;
  description.refuse_use(absence);
  description.send(sink, context);
}

void describe(const Driver& driver, int device, Description& description) {
  char name[256] = "";
  std::size_t bytes = 0;
  int integrated = 0;
  tenon_device_info& info = description.info;
  static_cast<void>(driver.device_name(name, sizeof name, device));
  static_cast<void>(driver.device_bytes(&bytes, device));
  static_cast<void>(driver.device_attribute(&integrated, vendor.integrated, device));
  description.name = name;
  description.architecture = vendor.architecture(driver, device);
  info.flags = TENON_DEVICE_BINARY64 | TENON_DEVICE_TIMESTAMPS | (integrated != 0 ? TENON_DEVICE_UNIFIED_MEMORY : 0);
  info.memory_bytes = bytes;
  if (vendor.has_code(description.architecture, TENON_GPU_TARGETS)) return;
  description.refuse_use({TENON_REASON_NO_CODE_FOR_ARCH, text("no code for ", description.architecture,
                                                              ": this plugin was built for ", TENON_GPU_TARGETS)});
}

int count_devices(const Driver& driver) {
  int count = 0;
  const Status status = driver.device_count(&count);
  if (status == no_device) return 0;
  if (status != success) throw KernelError(TENON_ERROR, text("[", TENON_GPU_KIND, "] ", words_of(driver, status)));
  return count;
}

}  // namespace

std::variant<const Driver*, Absence> Plugin::driver() {
  const std::lock_guard lock(mutex_);
  if (!driver_.has_value()) {
    std::variant<Driver, Absence> found = load_driver();
    if (const auto* absence = std::get_if<Absence>(&found)) return *absence;
    driver_ = std::get<Driver>(std::move(found));
  }
  return &*driver_;
}

int Plugin::device_of(const Driver& driver, std::uint32_t ordinal) {
  const int count = count_devices(driver);
  if (ordinal >= static_cast<std::uint32_t>(count)) {
    refuse("[", TENON_GPU_KIND, "] there is no device ", TENON_GPU_KIND, ":", ordinal, ": the driver shows ", count);
  }
  int device = 0;
  const Status status = driver.device_get(&device, static_cast<int>(ordinal));
  if (status == success) return device;
  throw KernelError(TENON_ERROR, text("[", TENON_GPU_KIND, ":", ordinal, "] device_get: ", words_of(driver, status)));
}

void Plugin::enumerate(tenon_device_sink* sink, void* context) {
  const auto found = driver();
  if (const auto* absence = std::get_if<Absence>(&found)) return send_absence(*absence, "", sink, context);
  const Driver& driver = *std::get<const Driver*>(found);
  const std::string version = vendor.version_text(driver.version);
  const int count = count_devices(driver);
  if (count == 0) {
    const std::string words = text(driver.library, " shows no device: none is installed, or none is visible here");
    return send_absence({TENON_REASON_NO_DEVICE, words}, version, sink, context);
  }
  for (int ordinal = 0; ordinal < count; ++ordinal) {
    Description description;
    description.driver = version;
    description.info.ordinal = static_cast<std::uint32_t>(ordinal);
    try {
      describe(driver, device_of(driver, description.info.ordinal), description);
    } catch (const KernelError& error) {  // of this one; the others are well
      description.refuse_use({TENON_REASON_NO_DEVICE, error.what()});
    }
    description.send(sink, context);
  }
}

void Plugin::open(std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* given, std::uint32_t given_count,
                  tenon_device** device) {
  plugin::check_options(identity.id, {given, given_count});
  const auto found = driver();
  if (const auto* absence = std::get_if<Absence>(&found)) throw KernelError(TENON_ERROR, absence->words);
  const Driver& driver = *std::get<const Driver*>(found);
  const int number = device_of(driver, ordinal);
  *device = plugin::to_handle<tenon_device>(std::make_unique<Device>(driver, number, cookie, open_devices_).release());
}

void Plugin::quiesce() {
  open_devices_.for_each([](Device& device) { device.drain(); });
}

}  // namespace tenon::gpu

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer<tenon::gpu::Plugin>(query, reply);
}
