// kernel.h: a capsule from a rule.
//
// A rule is a class:
//
//   template <class T>
//   struct Sgd {
//     using dtypes = T(T, T);                                 // and what else the SDK's capsule.h lets a kernel say
//     explicit Sgd(const SignatureView& signature);           // may be absent
//     Plan plan(const SignatureView& signature) const;
//     void scalars(const Arguments&, Push& push) const;       // absent: nothing changes from launch to launch
//   };
//   TENON_CAPSULES capsules = both<"sgd", Sgd>;
//
// A launch notes one command for each pass; nothing is allocated. Prepared kernels are immutable: any thread.
#pragma once
#include "launch.h"

namespace tenon::vulkan {

struct Strict : plugin::Provider {
  static constexpr plugin::FixedText prefix = "vulkan.strict";
  static constexpr const char* name = "strict";
  static constexpr const char* memory_domain = "vulkan";
  static constexpr std::uint32_t traits = TENON_TRAIT_ASYNC | TENON_TRAIT_REENTRANT;
  static constexpr std::uint32_t trust = TENON_TRUST_CHECKED;
  static constexpr tenon_numerics numerics = plugin::strict_numerics();
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_TESTED;
  static constexpr const char* provenance = "docs/numerics.md; tests/vulkan; tenon check";
};

template <class Rule>
class Kernel : public Rule {
 public:
  /// False where a plan for this cannot be made, or binds too much.
  static bool can_plan(const Device* device, const SignatureView& signature, Reason& why) {
    try {
      return fits(device, make(signature).plan(signature), why);
    } catch (const Unserved& words) {
      return why.decline(std::string_view(words.what()));
    }
  }

  Kernel(const SignatureView& signature, tenon_device* device)
      : Rule(make(signature)), launch_(Rule::plan(signature), plugin::from_handle<Device>(device), signature) {}

  std::uint64_t workspace_bytes() const { return launch_.workspace_bytes(); }

  void operator()(const Arguments& arguments) const {
    Stream& stream = plugin::from_handle<Stream>(arguments.stream());
    if constexpr (requires(Push push) { this->scalars(arguments, push); }) {
      Push push;
      this->scalars(arguments, push);
      launch_(arguments, stream, &push);
    } else {
      launch_(arguments, stream, nullptr);
    }
  }

 private:
  static Rule make(const SignatureView& signature) {
    if constexpr (std::is_constructible_v<Rule, const SignatureView&>)
      return Rule(signature);
    else
      return Rule();
  }
  Launch launch_;
};

template <class K>
std::int32_t supports_on(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                         tenon_text* reason) {
  return plugin::guard([&]() -> std::int32_t {
    Reason why(reason);
    const SignatureView view(*signature);
    const Device* on = device == nullptr ? nullptr : &plugin::from_handle<Device>(device);
    const bool served = plugin::detail::accepts<K>(view, device, capsule->layouts, why) && fits(on, view, why) &&
                        K::can_plan(on, view, why);
    return served ? TENON_OK : TENON_DECLINED;
  });
}

template <plugin::FixedText Op, class K>
inline constexpr tenon_capsule device_capsule = [] {
  tenon_capsule capsule = plugin::capsule<Strict, Op, K>;
  capsule.supports = supports_on<K>;
  return capsule;
}();

/// The capsules of a rule for both real types.
template <plugin::FixedText Op, template <class> class Rule>
inline constexpr std::array<const tenon_capsule*, 2> both = {&device_capsule<Op, Kernel<Rule<float>>>,
                                                             &device_capsule<Op, Kernel<Rule<double>>>};

}  // namespace tenon::vulkan
