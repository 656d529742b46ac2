// kernel.h: a capsule from a rule.
//
// A rule is a class:
//
//   struct Sgd {
//     using dtypes = float(float, float);                     // and what else the SDK's capsule.h lets a kernel say
//     explicit Sgd(const SignatureView& signature);           // may be absent
//     Plan plan(const SignatureView& signature) const;
//     Constants scalars(const Arguments&) const;              // absent: nothing changes from launch to launch
//   };
//   TENON_CAPSULES capsules = strict<"sgd", Sgd>;
//
// A launch notes one command for each pass; nothing is allocated. Prepared kernels are immutable: any thread.
#pragma once
#include "launch.h"

namespace tenon::metal {

struct Strict : plugin::Provider {
  static constexpr plugin::FixedText prefix = "metal.strict";
  static constexpr const char* name = "strict";
  static constexpr const char* memory_domain = "metal";
  static constexpr std::uint32_t traits = TENON_TRAIT_ASYNC | TENON_TRAIT_REENTRANT;
  static constexpr std::uint32_t trust = TENON_TRUST_CHECKED;
  static constexpr tenon_numerics numerics = plugin::strict_numerics();
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_TESTED;
  static constexpr const char* provenance = "docs/numerics.md; tests/metal, simulated; never run on Apple hardware";
  static constexpr bool needs_strict_device = true;
};

/// Comes first where the bits need not be strict, and serves a device that failed the strict battery.
struct Fast : Strict {
  static constexpr plugin::FixedText prefix = "metal.fast";
  static constexpr const char* name = "fast";
  static constexpr std::int32_t priority = 10;
  static constexpr tenon_numerics numerics = plugin::deterministic_numerics();
  static constexpr bool needs_strict_device = false;
};

template <class Rule, class Provider>
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
      : Rule(make(signature)),
        launch_(Rule::plan(signature), plugin::from_handle<Device>(device), signature, Provider::needs_strict_device) {}

  std::uint64_t workspace_bytes() const { return launch_.workspace_bytes(); }

  void operator()(const Arguments& arguments) const {
    Stream& stream = plugin::from_handle<Stream>(arguments.stream());
    if constexpr (requires { this->scalars(arguments); }) {
      const Constants constants = this->scalars(arguments);
      launch_(arguments, stream, &constants);
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

template <class K, class Provider>
std::int32_t supports_on(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                         tenon_text* reason) {
  return plugin::guard([&]() -> std::int32_t {
    Reason why(reason);
    const SignatureView view(*signature);
    const Device* on = device == nullptr ? nullptr : &plugin::from_handle<Device>(device);
    const bool served = plugin::detail::accepts<K>(view, device, capsule->layouts, why) &&
                        fits(on, view, Provider::needs_strict_device, why) && K::can_plan(on, view, why);
    return served ? TENON_OK : TENON_DECLINED;
  });
}

template <class Provider, plugin::FixedText Op, class Rule>
inline constexpr tenon_capsule device_capsule = [] {
  using K = Kernel<Rule, Provider>;
  tenon_capsule capsule = plugin::capsule<Provider, Op, K>;
  capsule.supports = supports_on<K, Provider>;
  return capsule;
}();

template <plugin::FixedText Op, class Rule>
inline constexpr std::array<const tenon_capsule*, 1> strict = {&device_capsule<Strict, Op, Rule>};

template <class Rule>
struct Loose : Rule {
  using Rule::Rule;
  static constexpr tenon_numerics numerics = Fast::numerics;
};
template <plugin::FixedText Op, class Rule>
inline constexpr std::array<const tenon_capsule*, 1> fast = {&device_capsule<Fast, Op, Loose<Rule>>};

}  // namespace tenon::metal
