#include "tenon/device.h"

#include <new>
#include <utility>

#include "host_table.h"
#include "tenon/contain.h"
#include "tenon/guarded.h"
#include "tenon/log.h"
#include "tenon/text.h"

namespace tenon {
namespace {

std::string bare_name(const LoadedPlugin& plugin, const std::string& kind, std::uint32_t ordinal) {
  const std::string& vendor = plugin.candidate().manifest.vendor;
  return to_string(DeviceName{vendor == "tenon" ? "" : vendor, kind, ordinal});
}

/// Why a device cannot be used, in its plugin's words where it has some.
std::string words_of(const DeviceFacts& facts) {
  if (!facts.why_unusable.empty()) return facts.why_unusable;
  return std::string(info(static_cast<Reason>(facts.usable)).meaning);
}

tl::unexpected<Error> not_found(const LoadedPlugin& plugin, const std::string& kind, std::uint32_t ordinal,
                                std::span<const DeviceFacts> all) {
  std::vector<std::string> names;
  for (const DeviceFacts& facts : all) {
    const std::string why = facts.usable == 0 ? "" : " (" + words_of(facts) + ")";
    names.push_back(bare_name(plugin, facts.kind, facts.ordinal) + why);
  }
  return fail(Reason::NO_DEVICE, "[device] " + bare_name(plugin, kind, ordinal) + ": the plugin " +
                                     plugin.candidate().manifest.library.string() + " found no such device; it found " +
                                     (names.empty() ? "none" : join(names)));
}

/// The device's own words, under its own reason.
tl::unexpected<Error> unusable(const LoadedPlugin& plugin, const DeviceFacts& facts) {
  return fail(info(static_cast<Reason>(facts.usable)).reason,
              "[device] " + bare_name(plugin, facts.kind, facts.ordinal) + ": " + words_of(facts) + " (plugin " +
                  plugin.candidate().manifest.library.string() + ")");
}

const std::filesystem::path& library_of(const LoadedPlugin& plugin) { return plugin.candidate().manifest.library; }

result<DeviceFacts> find_device(LoadedPlugin& plugin, const std::string& kind, std::uint32_t ordinal) {
  TENON_TRY(const std::vector<DeviceFacts> all, enumerate_devices(plugin));
  for (const DeviceFacts& facts : all) {
    if (facts.kind != kind || facts.ordinal != ordinal) continue;
    if (facts.usable != 0) return unusable(plugin, facts);
    return facts;
  }
  return not_found(plugin, kind, ordinal, all);
}

}  // namespace

result<std::shared_ptr<Device>> Device::open(std::shared_ptr<LoadedPlugin> plugin, const std::string& kind,
                                             std::uint32_t ordinal) {
  return contained("device", [&]() -> result<std::shared_ptr<Device>> {
    TENON_TRY(DeviceFacts facts, find_device(*plugin, kind, ordinal));
    const std::shared_ptr<Device> device(new Device);
    device->plugin_ = std::move(plugin);
    device->facts_ = std::move(facts);
    TENON_CHECK(device->start());
    return device;
  });
}

result<void> Device::start() {
  const tenon_devices& t = plugin_->devices();
  const auto cookie = reinterpret_cast<std::uint64_t>(this);
  clear_plugin_error();
  const auto opened = guarded(library_of(*plugin_), "open", [&] {
    return t.open(plugin_->devices_self(), facts_.ordinal, cookie, nullptr, 0, &device_);
  });
  if (!opened || *opened != TENON_OK) device_ = nullptr;
  TENON_CHECK(opened.and_then([&](std::int32_t status) { return check(status, "open"); }));
  const auto created =
      guarded(library_of(*plugin_), "stream_create", [&] { return t.stream_create(device_, 0, &stream_); });
  if (!created || *created != TENON_OK) stream_ = nullptr;
  return created.and_then([&](std::int32_t status) { return check(status, "stream_create"); });
}

namespace {

void warn_of_failed_close(const std::filesystem::path& library, std::int32_t status) {
  logging::write(logging::Level::warn, "plugin", library.string() + ": " + plugin_error(status, "close").text);
}

}  // namespace

Device::~Device() {
  if (device_ == nullptr) return;  // never opened
  const tenon_devices& t = plugin_->devices();
  const std::filesystem::path& library = library_of(*plugin_);
  if (stream_ != nullptr) {
    guarded_end(library, "stream_synchronize", [&] { return t.stream_synchronize(stream_, TENON_FOREVER); });
    guarded_end(library, "stream_destroy", [&] { return t.stream_destroy(stream_); });
  }
  guarded_end(library, "close", [&] {
    const std::int32_t status = t.close(device_);
    if (status != TENON_OK) warn_of_failed_close(library, status);
  });
}

std::string Device::name() const { return bare_name(*plugin_, facts_.kind, facts_.ordinal); }

result<void> Device::check(std::int32_t status, std::string_view what) const {
  if (status == TENON_OK) return {};
  return fail(plugin_error(status, name() + ": " + std::string(what)));
}

namespace {

/// Tells the observer, if there is one, where a copy begins and ends.
class ObservedCopy {
 public:
  ObservedCopy(DeviceObserver* observer, CopyKind kind, std::uint64_t bytes) : observer_(observer) {
    if (observer_ != nullptr) observer_->copying(kind, bytes);
  }
  ~ObservedCopy() {
    if (observer_ != nullptr) observer_->copied();
  }
  ObservedCopy(const ObservedCopy&) = delete;
  ObservedCopy& operator=(const ObservedCopy&) = delete;

 private:
  DeviceObserver* observer_;
};

}  // namespace

result<void> Device::write(tenon_ref to, std::span<const std::byte> from) {
  if (from.empty()) return {};
  const ObservedCopy observed(observer_, CopyKind::in, from.size());
  TENON_TRY(const std::int32_t status, guarded(library_of(*plugin_), "copy_in", [&] {
              return plugin_->devices().copy_in(stream_, to, from.data(), from.size());
            }));
  TENON_CHECK(check(status, "copy to the device"));
  return synchronize();
}

result<void> Device::read(std::span<std::byte> to, tenon_ref from) {
  if (to.empty()) return {};
  const ObservedCopy observed(observer_, CopyKind::out, to.size());
  TENON_TRY(const std::int32_t status, guarded(library_of(*plugin_), "copy_out", [&] {
              return plugin_->devices().copy_out(stream_, to.data(), from, to.size());
            }));
  TENON_CHECK(check(status, "copy from the device"));
  return synchronize();
}

result<void> Device::copy(tenon_ref to, tenon_ref from, std::uint64_t bytes) {
  if (bytes == 0) return {};
  const ObservedCopy observed(observer_, CopyKind::within, bytes);
  const auto call = [&] { return plugin_->devices().copy(stream_, to, from, bytes); };
  TENON_TRY(const std::int32_t status, guarded(library_of(*plugin_), "copy", call));
  return check(status, "copy on the device");
}

namespace {

/// The error that there was no memory to put into words.
Error wordless(const Device& device) {
  return contained(device.name(), []() -> result<void> { throw std::bad_alloc(); }).error();
}

}  // namespace

/// In destructors, too: where there is no memory for an error's words, it has them when it is reported.
void Device::settle() {
  try {
    if (auto done = synchronize(); !done) deferred_ = std::move(done).error();
  } catch (const std::bad_alloc&) {
    clear_plugin_error();
    deferred_ = Error{Reason::OUT_OF_MEMORY, {}, {}};
  }
}

/// Waits whatever it has to report: queued copies point to memory of the caller's.
result<void> Device::synchronize() {
  const auto call = [&] { return plugin_->devices().stream_synchronize(stream_, TENON_FOREVER); };
  auto done = guarded(library_of(*plugin_), "stream_synchronize", call).and_then([&](std::int32_t status) {
    return check(status, "synchronize");
  });
  if (deferred_ && deferred_->text.empty()) deferred_ = wordless(*this);
  if (deferred_) return fail(*std::exchange(deferred_, std::nullopt));
  return done;
}

}  // namespace tenon
