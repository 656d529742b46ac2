// settings.h: the options of this plugin, `--option late.KEY=VALUE`. A plain value.
#pragma once
#include <cstdint>
#include <span>

#include "tenon/plugin.h"

namespace tenon::late {

struct Settings {
  std::uint64_t memory_bytes = std::uint64_t{4} << 30;  // how much the device has: small to see it run out

  /// Throws KernelError if an option is unknown or no number.
  void read(std::span<const tenon_attr> options);
};

}  // namespace tenon::late
