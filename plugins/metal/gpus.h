// gpus.h: the GPUs that Metal lists, and what they say of themselves.
//
// Values; a GPU holds its MTLDevice. Threads: any.
#pragma once
#include <memory>
#include <string>
#include <vector>

#include "object.h"
#include "tenon/plugin.hpp"

namespace tenon::metal {

struct Gpu {
  Object device;
  std::uint32_t ordinal = 0;
  std::string name, driver, architecture;
  std::uint64_t registry_id = 0, memory_bytes = 0, max_buffer_bytes = 0;
  bool unified = false;
  std::int32_t usable = 0;  // 0 or a TENON_REASON_
  std::string why_unusable;
};

/// At least one: where Metal lists none, one that cannot be used.
std::vector<std::unique_ptr<Gpu>> list_gpus();

/// What the ABI's table of facts says of a GPU; strings live as long as it does.
tenon_device_info facts_of(const Gpu& gpu);

/// Tensors begin at multiples of this.
inline constexpr std::uint32_t tensor_alignment = 64;
/// Kernels count in 32 bits.
inline constexpr std::uint64_t max_elements = std::uint64_t{1} << 31;

}  // namespace tenon::metal
