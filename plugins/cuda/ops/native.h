// native.h: how a rule becomes the capsules of an operation.
//
// A rule is a struct that says what it takes (`dtypes`) and, in plan(Plan&), which kernels compute it; what else it may
// say of itself, tenon/plugin/capsule.h lists. A file of rules ends by naming the operations that they serve:
//
//   TENON_CAPSULES capsules = plugin::join(both<"softmax", Softmax>, ...);
//
// and needs no mention anywhere else. Constant data; any thread.
#pragma once
#include "host/plan.h"
#include "tenon/numerics.h"

namespace tenon::gpu {

using plugin::FixedText;
using plugin::names;
using plugin::Reason;
using plugin::refuse;

// -- providers ----------------------------------------------------------------------------------------------

/// The bits of docs/numerics.md.
struct Native : plugin::Provider {
  static constexpr FixedText prefix = FixedText(TENON_GPU_KIND) + FixedText(".native");
  static constexpr const char* name = "native";
  static constexpr const char* memory_domain = TENON_GPU_KIND;
  static constexpr std::uint32_t traits = TENON_TRAIT_ASYNC | TENON_TRAIT_REENTRANT;
  static constexpr std::uint32_t trust = TENON_TRUST_CHECKED;
  static constexpr tenon_numerics numerics = plugin::strict_numerics();
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_TESTED;
  static constexpr const char* provenance = "docs/numerics.md; tests/cuda; tests/gpusim";
};

/// Products and sums rounded together: comes first where the bits need not be strict.
struct NativeFused : Native {
  static constexpr FixedText prefix = FixedText(TENON_GPU_KIND) + FixedText(".native.fused");
  static constexpr std::int32_t priority = 10;
  static constexpr tenon_numerics numerics = [] {
    tenon_numerics fused = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
    fused.flags = TENON_NUMERICS_DETERMINISTIC;
    fused.contraction = TENON_CONTRACTION_FUSED;
    return fused;
  }();
  static constexpr const char* provenance = "the kernels of the strict products with fused multiply-adds";
};

/// Functions in binary32 where the strict ones need binary64, of which many devices have little.
struct NativeFast : Native {
  static constexpr FixedText prefix = FixedText(TENON_GPU_KIND) + FixedText(".native.fast");
  static constexpr std::int32_t priority = 10;
  static constexpr tenon_numerics numerics = plugin::deterministic_numerics();
  static constexpr const char* provenance = "the mathematics of the device's compiler";
};

// -- from a rule to capsules --------------------------------------------------------------------------------

/// What the SDK makes a capsule of.
template <class Rule>
class Kernel : public Rule {
 public:
  Kernel(const SignatureView& signature, tenon_device* device) : plan_(signature, plugin::from_handle<Device>(device)) {
    Rule::plan(plan_);
  }
  static bool supports(const SignatureView& signature, tenon_device* device, Reason& why) {
    if (device != nullptr && signature.strict()) {
      const std::string& failure = plugin::from_handle<Device>(device).strict_failure();
      if (!failure.empty())
        return why.decline("this device is not strict: ", failure,
                           "; it serves --dtype float32:fast and --dtype float");
    }
    if constexpr (requires { Rule::supports(signature, why); }) return Rule::supports(signature, why);
    return true;
  }
  void operator()(const Arguments& arguments) const { plan_.run(arguments); }
  std::uint64_t workspace_bytes() const { return plan_.workspace_bytes(); }
  std::uint64_t flops() const { return plan_.flops(); }

 private:
  Plan plan_;
};

/// The capsules of a rule for both real types.
template <FixedText Op, template <class> class Rule, class P = Native>
inline constexpr std::array both = {&plugin::capsule<P, Op, Kernel<Rule<float>>>,
                                    &plugin::capsule<P, Op, Kernel<Rule<double>>>};

/// The capsule of a fast rule, which there is for binary32 alone.
template <FixedText Op, class Rule>
inline constexpr std::array fast = {&plugin::capsule<NativeFast, Op, Kernel<Rule>>};

// -- what rules have in common ------------------------------------------------------------------------------

struct InPlace {
  static constexpr bool in_place = true;  // each element is read before its place is written
};
struct NotDifferentiable {
  static constexpr bool differentiable = false;
};
struct TreeSums {
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_TREE);
};
struct Folds {
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
};

/// Elements of a pack of sixteen bytes (kernels/pack.h).
template <class T>
inline constexpr std::uint64_t pack_width = 16 / sizeof(T);

/// Threads for n elements in packs.
template <class T>
constexpr std::uint64_t pack_threads(std::uint64_t n) {
  return n / pack_width<T> + n % pack_width<T>;
}

inline std::uint64_t extent(const TensorView& tensor, std::size_t from_end) {
  return static_cast<std::uint64_t>(tensor.extent_from_end(from_end));
}

/// A tensor as rows along its last axis; a tensor without axes is one row of one.
struct Rows {
  std::uint64_t count, length;

  static Rows of(const TensorView& tensor) {
    const std::uint64_t length = extent(tensor, 1);
    return {length == 0 ? 0 : tensor.elements() / length, length};
  }
  /// Blocks of threads: of sixteen short rows each, or of one row.
  std::uint64_t blocks() const {
    return length > max_lane_row ? count : (count + groups_per_block - 1) / groups_per_block;
  }
};

}  // namespace tenon::gpu
