// Updates: one step of the usual optimizers for one parameter.
#include "provider.h"

namespace tenon::cpu::native {
namespace {

/// Results are the operands but the gradient, in order, and may stand in their storage.
template <class T, class Rule>
class Update {
 public:
  using dtypes = typename Rule::dtypes;
  static constexpr auto attributes = Rule::attributes;
  static constexpr bool in_place = true;
  static constexpr bool differentiable = false;

  Update(const SignatureView& signature, tenon_device* device)
      : rule_(signature),
        elements_(signature.output().elements()),
        run_(static_cast<const UpdateLoop<T, Rule>&>(kernels<T>(isa_of(device))).run) {}

  void operator()(const Arguments& arguments) const {
    const auto step = rule_.step(arguments);
    const auto values = values_of(arguments);
    plugin::for_ranges(elements_, operations_per_range / 4,
                       [&](std::uint64_t begin, std::uint64_t end) { run_(step, values, begin, end); });
  }

 private:
  static constexpr std::uint32_t states = state_count<Rule>;

  static Updated<T, states> values_of(const Arguments& arguments) {
    Updated<T, states> values{arguments.operand<T>(0), arguments.operand<T>(1), arguments.output<T>(0), {}, {}};
    for (std::uint32_t s = 0; s < states; ++s) {
      values.states[s] = arguments.operand<T>(2 + s);
      values.new_states[s] = arguments.output<T>(1 + s);
    }
    return values;
  }

  Rule rule_;
  std::uint64_t elements_;
  typename UpdateLoop<T, Rule>::Run run_;
};

template <template <class> class Rule>
struct Of {
  template <class T>
  using Kernel = Update<T, Rule<T>>;
};
template <plugin::FixedText Op, template <class> class Rule>
constexpr auto update = both<Op, Of<Rule>::template Kernel>;

TENON_CAPSULES capsules = plugin::join(update<"sgd", reference::SgdRule>, update<"momentum", reference::MomentumRule>,
                                       update<"adam", reference::AdamRule>, update<"adamw", reference::AdamwRule>);

}  // namespace
}  // namespace tenon::cpu::native
