// plugin.h: the plugin itself: who it is, what its user may set, which devices there are.
//
// One object, made when the host initialises the plugin; it is what `self` points to. Threads: any.
#pragma once
#include "device.h"
#include "roster.h"
#include "tenon/plugin.hpp"

namespace acme {

class Vendor {
 public:
  static constexpr tenon::plugin::Identity identity{"vendor", "acme", "1.0.0"};
  static constexpr const tenon_devices* devices = &device_table;
  static constexpr std::string_view options[] = {"rounding"};

  /// The first moment at which a driver may be touched.
  explicit Vendor(const tenon::plugin::Options& given);

  // Slots of the table in device.cpp.
  void enumerate(tenon_device_sink* sink, void* context) const;
  void open(std::uint32_t ordinal, std::uint64_t cookie, const tenon_attr* given, std::uint32_t given_count,
            tenon_device** device);

  /// Before the process ends or forks: all work is done when this returns.
  void quiesce();

 private:
  const Rounding rounding_;
  Roster<Device> open_devices_;
};

}  // namespace acme
