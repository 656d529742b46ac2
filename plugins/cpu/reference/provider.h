// provider.h: what the reference capsules have in common: plain loops in the order of docs/numerics.md, on dense arrays
// that the host can address.
//
// Constant data. Kernels are immutable after they are prepared: any thread may launch one.
#pragma once
#include "tenon/numerics.h"
#include "tenon/plugin.hpp"

namespace tenon::cpu::reference {

using plugin::Arguments;
using plugin::Reason;
using plugin::SignatureView;
using plugin::TensorView;

struct Reference : plugin::Provider {
  static constexpr plugin::FixedText prefix = "cpu.reference";
  static constexpr const char* name = "reference";
  static constexpr const char* memory_domain = "host";
  static constexpr std::uint32_t traits = TENON_TRAIT_REENTRANT;
  static constexpr std::uint32_t trust = TENON_TRUST_CHECKED;
  static constexpr tenon_numerics numerics = plugin::strict_numerics();
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_TESTED;
  static constexpr const char* provenance = "docs/numerics.md; tests/unit/plugins; tenon check";
};

/// The capsules of a kernel for both real types.
template <plugin::FixedText Op, template <class> class Kernel>
inline constexpr auto both = plugin::for_types<Reference, Op, Kernel, float, double>;

/// Work below this many operations is not worth a second thread.
inline constexpr std::uint64_t operations_per_range = 1 << 16;

/// The grain for rows that take so many operations each.
inline std::uint64_t rows_per_range(std::uint64_t operations_per_row) {
  return std::max<std::uint64_t>(1, operations_per_range / std::max<std::uint64_t>(1, operations_per_row));
}

/// A tensor as rows along its last axis; a tensor without axes is one row of one.
struct Rows {
  std::uint64_t count, length;

  static Rows of(const TensorView& tensor) {
    const auto length = static_cast<std::uint64_t>(tensor.extent_from_end(1));
    return {length == 0 ? 0 : tensor.elements() / length, length};
  }
};

}  // namespace tenon::cpu::reference
