// The plugin `vendor`. Read it in this order:
//
//   plugin.cpp      who this is, its option, its devices, and the one symbol that leaves the library
//   device.cpp      what the host may ask of a device, slot by slot
//   memory.cpp      memory that the host holds by handles and cannot read
//   stream.cpp      work that goes on while the caller does something else
//   event.cpp       how the host learns that it is done, when, and how it went
//   kernels/        what is computed: kernel.h first, then a file for each family of operations
//
// Every function here may throw KernelError (most easily by refuse()); the SDK turns that into a status and a text for
// the host at the border, which no exception crosses.
#include "plugin.h"

namespace acme {

using tenon::plugin::Options;
using tenon::plugin::refuse;
using tenon::plugin::to_handle;

Vendor::Vendor(const Options& given) : rounding_(given.choice<Rounding>("rounding", {"nearest", "toward-zero"})) {}

// What there is, usable or not, without opening it. A device that cannot be used says why in `usable` and
// `why_unusable`: a missing driver is an answer, not an error.
void Vendor::enumerate(tenon_device_sink* sink, void* context) const {
  tenon_device_info info{};
  info.size = sizeof info;
  info.flags = TENON_DEVICE_SOFTWARE | TENON_DEVICE_BINARY64 | TENON_DEVICE_TIMESTAMPS;
  info.device_class = TENON_CLASS_NPU;
  info.kind = "vendor";  // as in `--device vendor`
  info.name = "Acme NPU, simulated on the host";
  info.driver = "1.0";
  info.architecture = "acme1";
  info.memory_bytes = Device::memory_bytes;
  info.base_alignment_bytes = info.offset_alignment_bytes = 64;
  info.native_float = tenon::plugin::dtype_of<float>;  // what `--dtype float` means here
  info.memory_domain = "vendor";                       // the capsules of this domain can follow this device's handles
  sink(context, &info);
}

void Vendor::open(std::uint32_t ordinal, std::uint64_t, const tenon_attr* given, std::uint32_t given_count,
                  tenon_device** device) {
  if (ordinal != 0) refuse("[vendor] there is no device vendor:", ordinal, ": the only one is vendor:0");
  tenon::plugin::check_options(identity.id, {given, given_count});
  *device = to_handle<tenon_device>(std::make_unique<Device>(open_devices_, rounding_).release());
}

void Vendor::quiesce() {
  open_devices_.for_each([](Device& device) { device.drain(); });
}

}  // namespace acme

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer<acme::Vendor>(query, reply);
}
