// provider.h: what the capsules of `native` have in common: the reference's numerics, bit for bit, in loops that are
// compiled for several instruction sets.
//
// Constant data. Kernels are immutable after they are prepared: any thread may launch one. Which instruction set they
// use is the device's and settled when they are prepared.
#pragma once
#include "../device.h"
#include "kernels.h"

namespace tenon::cpu::native {

using plugin::Arguments;
using plugin::SignatureView;
using plugin::TensorView;
using reference::operations_per_range;
using reference::rows_per_range;

struct Native : reference::Reference {
  static constexpr plugin::FixedText prefix = "cpu.native";
  static constexpr const char* name = "native";
  static constexpr std::int32_t priority = 10;
  static constexpr const char* provenance = "docs/cpu.md; the bits of cpu.reference, tests/unit/plugins/native_*";
};

/// The capsules of a kernel for both real types.
template <plugin::FixedText Op, template <class> class Kernel>
inline constexpr auto both = plugin::for_types<Native, Op, Kernel, float, double>;

}  // namespace tenon::cpu::native
