// capsule.h: a tenon_capsule from a C++ class.
//
// A kernel is a class:
//
//   template <class T>
//   class Softmax {
//    public:
//     using dtypes = T(T);                                  // result(operands); several results: Results<T, T>(T, T)
//     explicit Softmax(const SignatureView& signature);     // prepare: throws KernelError; may also take (signature,
//                                                           // tenon_device*), where the device matters
//     void operator()(const Arguments& arguments) const;    // launch
//   };
//
// and may also have, all static but the last two:
//
//   bool supports(const SignatureView&, Reason&)   beyond types, layouts and attributes, which are checked for it; or
//                                                  (const SignatureView&, tenon_device*, Reason&): null is any device
//   auto attributes = names("axes", "keep_dims")   those it knows; any other non-default one is declined
//   tenon_numerics numerics                        default: its provider's, else nothing but determinism is promised
//   bool in_place = true                           results may take the storage of any operand that the host proposes
//   bool differentiable = false                    a source, an update, a part of a gradient
//   const char* value                              what the value contract says, where "the row's rule" is too little
//   std::uint64_t workspace_bytes() const          at least 64-byte aligned
//   std::uint64_t flops() const                    per launch, for --profile
//
// A provider is a struct of constants shared by its kernels (see Provider below). Then
//
//   TENON_CAPSULES softmax = for_types<Acme, "softmax", Softmax, float, double>;
//
// makes the capsules acme.softmax.f32 and .f64 as constant data, and linked_capsules() finds every such array of the
// plugin without a list of files.
//
// Ownership: a prepared kernel belongs to the host until release(). Threads: a kernel of trait REENTRANT is launched on
// several streams at once, hence the const in operator().
#pragma once
#include <array>
#include <concepts>
#include <memory>

#include "tenon/plugin/arguments.h"
#include "tenon/plugin/fixed_text.h"

namespace tenon::plugin {

// -- what kernels and providers say about themselves --------------------------------------------------------

/// Several results in a kernel's `dtypes`.
template <class... T>
struct Results;

template <class... Name>
constexpr std::array<const char*, sizeof...(Name)> names(const Name*... name) {
  return {name...};
}

inline constexpr tenon_dtype operands_own{0, 0, 0};

/// The bits are those of docs/numerics.md. A sum's order: TENON_REDUCTION_.
constexpr tenon_numerics strict_numerics(std::uint32_t reduction = TENON_NOT_APPLICABLE) {
  return {sizeof(tenon_numerics),
          TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC,
          TENON_ROUNDING_NEAREST_EVEN,
          TENON_SUBNORMALS_GRADUAL,
          TENON_CONTRACTION_SEPARATE,
          reduction,
          operands_own,
          operands_own};
}

/// The same bits each time on one device; nothing else is promised.
constexpr tenon_numerics deterministic_numerics() {
  return {sizeof(tenon_numerics),
          TENON_NUMERICS_DETERMINISTIC,
          TENON_IMPLEMENTATION_DEFINED,
          TENON_IMPLEMENTATION_DEFINED,
          TENON_IMPLEMENTATION_DEFINED,
          TENON_IMPLEMENTATION_DEFINED,
          operands_own,
          operands_own};
}

/// What a provider inherits and overrides; `prefix`, `name` and `memory_domain` it must bring.
struct Provider {
  static constexpr std::uint32_t traits = 0;  // TENON_TRAIT_
  static constexpr std::int32_t priority = 0;
  static constexpr std::uint32_t trust = TENON_TRUST_EXTERNAL;
  static constexpr std::uint32_t layouts = TENON_LAYOUT_DENSE;
  static constexpr std::uint32_t op_version = 1;
  static constexpr tenon_numerics numerics = deterministic_numerics();
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_DECLARED;
  static constexpr const char* provenance = "the provider's word";
};

// -- how that becomes a capsule -----------------------------------------------------------------------------

namespace detail {

template <class Signature>
struct Types;
template <class Result, class... Operand>
struct Types<Result(Operand...)> : Types<Results<Result>(Operand...)> {};
template <class... Result, class... Operand>
struct Types<Results<Result...>(Operand...)> {
  static constexpr std::uint32_t operands = sizeof...(Operand), results = sizeof...(Result);
  static constexpr std::array<tenon_dtype, operands + results> of = {dtype_of<Operand>..., dtype_of<Result>...};
  static constexpr tenon_dtypes tuple{operands + results, 0, of.data()};
  static constexpr tenon_dtype result = of[operands];
};
template <class Kernel>
using TypesOf = Types<typename Kernel::dtypes>;

/// "f32" is enough to tell the types: the first result's.
template <tenon_dtype Type>
inline constexpr auto suffix = [] {
  constexpr char letter = Type.code == TENON_DTYPE_FLOAT ? 'f' : Type.code == TENON_DTYPE_INT ? 'i' : 'u';
  return FixedText<4>({'.', letter, static_cast<char>('0' + Type.bits / 10), static_cast<char>('0' + Type.bits % 10)});
}();

template <class P, FixedText Op, class Kernel>
inline constexpr auto name = P::prefix + FixedText(".") + Op + suffix<TypesOf<Kernel>::result>;

template <class P, class Kernel>
inline constexpr tenon_numerics numerics = [] {
  if constexpr (requires { Kernel::numerics; })
    return Kernel::numerics;
  else
    return P::numerics;
}();

template <class Kernel>
inline constexpr auto attributes = [] {
  if constexpr (requires { Kernel::attributes; })
    return Kernel::attributes;
  else
    return std::array<const char*, 0>{};
}();

template <class Kernel>
constexpr bool differentiable() {
  if constexpr (requires { Kernel::differentiable; })
    return Kernel::differentiable;
  else
    return true;
}

template <class Kernel>
constexpr bool in_place() {
  if constexpr (requires { Kernel::in_place; })
    return Kernel::in_place;
  else
    return false;
}

template <class Kernel>
constexpr const char* value_contract() {
  if constexpr (requires { Kernel::value; })
    return Kernel::value;
  else
    return "the value that the operation's row defines, in this capsule's numerics";
}

template <class P, class Kernel>
inline constexpr std::array<tenon_contract, TENON_CONTRACT_COUNT> contracts = {{
    {TENON_CLAIM_STATED, P::evidence, "the shape that the operation's rule gives", P::provenance},
    {TENON_CLAIM_STATED, P::evidence, "operands of the layouts listed; results dense, row-major", P::provenance},
    {TENON_CLAIM_STATED, P::evidence, value_contract<Kernel>(), P::provenance},
    differentiable<Kernel>()
        ? tenon_contract{TENON_CLAIM_STATED, P::evidence, "differentiated by the operation's rule", P::provenance}
        : tenon_contract{TENON_CLAIM_NONE, P::evidence, "no gradient is defined", P::provenance},
}};

/// What the ABI calls a kernel: the class, and what its launch and its host need to know.
template <class Kernel>
struct Prepared {
  Prepared(const SignatureView& view, tenon_device* device)
      : kernel(make(view, device)),
        map(view),
        aliases(view.raw().aliases, view.raw().aliases + std::size_t{2} * view.raw().alias_count) {}
  Kernel kernel;
  ArgumentMap map;
  std::vector<std::uint32_t> aliases;

 private:
  static Kernel make(const SignatureView& view, tenon_device* device) {
    if constexpr (std::is_constructible_v<Kernel, const SignatureView&, tenon_device*>)
      return Kernel(view, device);
    else
      return Kernel(view);
  }
};

bool accepts_values(const SignatureView& view, const tenon_dtypes& tuple, std::uint32_t operands, std::uint32_t layouts,
                    Reason& why);
bool knows_attributes(const SignatureView& view, std::span<const char* const> known, Reason& why);

template <class Kernel>
bool accepts(const SignatureView& view, tenon_device* device, std::uint32_t layouts, Reason& why) {
  if (view.raw().node_count != 1) return why.decline("serves one node: the signature has ", view.raw().node_count);
  if (!accepts_values(view, TypesOf<Kernel>::tuple, TypesOf<Kernel>::operands, layouts, why)) return false;
  if (!knows_attributes(view, attributes<Kernel>, why)) return false;
  if constexpr (requires { Kernel::supports(view, device, why); })
    return Kernel::supports(view, device, why);
  else if constexpr (requires { Kernel::supports(view, why); })
    return Kernel::supports(view, why);
  else
    return true;
}

template <class Kernel>
std::int32_t supports(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                      tenon_text* reason) {
  return guard([&]() -> std::int32_t {
    Reason why(reason);
    return accepts<Kernel>(SignatureView(*signature), device, capsule->layouts, why) ? TENON_OK : TENON_DECLINED;
  });
}

inline void describe_traffic(const SignatureView& view, tenon_kernel& out) {
  for (std::uint32_t i = 0; i < view.operand_count(); ++i) out.bytes_read += view.operand(i).bytes();
  for (std::uint32_t i = 0; i < view.output_count(); ++i) out.bytes_written += view.output(i).bytes();
}

template <class Kernel>
void describe(const SignatureView& view, Prepared<Kernel>& prepared, tenon_kernel& out) {
  out = {};
  out.size = sizeof(tenon_kernel);
  out.kernel = &prepared;
  if constexpr (in_place<Kernel>()) {
    out.aliases = prepared.aliases.data();
    out.alias_count = view.raw().alias_count;
  }
  if constexpr (requires { prepared.kernel.workspace_bytes(); }) {
    out.workspace_bytes = prepared.kernel.workspace_bytes();
    out.workspace_alignment_bytes = 64;
  }
  if constexpr (requires { prepared.kernel.flops(); }) out.flops = prepared.kernel.flops();
  describe_traffic(view, out);
}

template <class Kernel>
std::int32_t prepare(const tenon_capsule* capsule, tenon_device* device, const tenon_signature* signature,
                     tenon_kernel* out) {
  return guard([&]() -> std::int32_t {
    char words[256];
    tenon_text reason{words, sizeof words, 0};
    Reason why(&reason);
    const SignatureView view(*signature);
    if (!accepts<Kernel>(view, device, capsule->layouts, why)) {
      refuse("[", capsule->op, "] ", capsule->name, " does not serve this: ", std::string_view(words, reason.length));
    }
    auto prepared = std::make_unique<Prepared<Kernel>>(view, device);
    describe(view, *prepared, *out);
    static_cast<void>(prepared.release());  // the host's now, until release()
    return TENON_OK;
  });
}

template <class Kernel>
std::int32_t launch(void* kernel, const tenon_args* args, tenon_stream* stream) {
  return guard([&] {
    const auto& prepared = *static_cast<const Prepared<Kernel>*>(kernel);
    prepared.kernel(Arguments(*args, prepared.map, stream));
  });
}

template <class Kernel>
void release(void* kernel) {
  delete static_cast<Prepared<Kernel>*>(kernel);
}

}  // namespace detail

/// Operands and results of a kernel.
template <class Kernel>
inline constexpr std::uint32_t tensor_count = detail::TypesOf<Kernel>::tuple.count;

/// The capsule of one kernel.
template <class P, FixedText Op, class Kernel>
inline constexpr tenon_capsule capsule{
    .size = sizeof(tenon_capsule),
    .traits = P::traits,
    .name = detail::name<P, Op, Kernel>.characters,
    .op = detail::text_of<Op>.characters,
    .provider = P::name,
    .memory_domain = P::memory_domain,
    .op_version_min = P::op_version,
    .op_version_max = P::op_version,
    .priority = P::priority,
    .trust = P::trust,
    .gradient = TENON_GRADIENT_BY_OPERATIONS,
    .layouts = P::layouts,
    .attribute_count = static_cast<std::uint32_t>(detail::attributes<Kernel>.size()),
    .dtypes_count = 1,
    .attributes = detail::attributes<Kernel>.data(),
    .dtypes = &detail::TypesOf<Kernel>::tuple,
    .numerics = &detail::numerics<P, Kernel>,
    .contracts = detail::contracts<P, Kernel>.data(),
    .supports = detail::supports<Kernel>,
    .prepare = detail::prepare<Kernel>,
    .launch = detail::launch<Kernel>,
    .release = detail::release<Kernel>,
};

/// The capsules of a kernel template, one per element type.
template <class P, FixedText Op, template <class> class Kernel, class... T>
inline constexpr std::array<const tenon_capsule*, sizeof...(T)> for_types = {&capsule<P, Op, Kernel<T>>...};

/// Several arrays of capsules as one.
template <std::size_t... Count>
constexpr auto join(const std::array<const tenon_capsule*, Count>&... parts) {
  std::array<const tenon_capsule*, (Count + ...)> all{};
  auto to = all.begin();
  ((to = std::copy(parts.begin(), parts.end(), to)), ...);
  return all;
}

// -- finding them -------------------------------------------------------------------------------------------

// The linker gathers the arrays of all files in one section of nothing but pointers, and names its ends. Alignment is
// given because compilers align large arrays further, which would leave gaps.
#define TENON_CAPSULES [[gnu::used, gnu::section("tenon_capsules")]] alignas(const tenon_capsule*) static constexpr auto

extern "C" {
[[gnu::weak, gnu::visibility("hidden")]] extern const tenon_capsule* const __start_tenon_capsules;
[[gnu::weak, gnu::visibility("hidden")]] extern const tenon_capsule* const __stop_tenon_capsules;
}

/// Every capsule of this plugin, in the order of its files.
inline std::span<const tenon_capsule* const> linked_capsules() {
  return {&__start_tenon_capsules, &__stop_tenon_capsules};
}

// -- details of supports ------------------------------------------------------------------------------------

namespace detail {

inline bool accepts_value(const TensorView& value, tenon_dtype wanted, std::string_view what, std::uint32_t i,
                          std::uint32_t layouts, Reason& why) {
  if (!same(value.dtype(), wanted)) return why.decline(what, " ", i, " is ", value.dtype(), ", serves ", wanted);
  if (!value.format().empty()) return why.decline(what, " ", i, " has the format ", value.format());
  if ((value.layout() & layouts) == 0) return why.decline(what, " ", i, " has a layout that is not served");
  return true;
}

inline bool accepts_values(const SignatureView& view, const tenon_dtypes& tuple, std::uint32_t operands,
                           std::uint32_t layouts, Reason& why) {
  const std::uint32_t results = tuple.count - operands;
  if (view.operand_count() != operands || view.output_count() != results) {
    return why.decline("serves ", operands, " operands and ", results, " results, given ", view.operand_count(),
                       " and ", view.output_count());
  }
  for (std::uint32_t i = 0; i < operands; ++i) {
    if (!accepts_value(view.operand(i), tuple.of[i], "operand", i, layouts, why)) return false;
  }
  for (std::uint32_t i = 0; i < results; ++i) {
    if (!accepts_value(view.output(i), tuple.of[operands + i], "output", i, TENON_LAYOUT_DENSE, why)) return false;
  }
  return true;
}

inline bool knows_attributes(const SignatureView& view, std::span<const char* const> known, Reason& why) {
  for (const tenon_attr& given : view.attributes()) {
    const auto is_given = [&](std::string_view name) { return name == given.name; };
    if (std::none_of(known.begin(), known.end(), is_given)) return why.decline("knows no attribute ", given.name);
  }
  return true;
}

}  // namespace detail

}  // namespace tenon::plugin
