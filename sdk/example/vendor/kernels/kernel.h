// kernel.h: how a computation becomes a capsule of this device.
//
// A computation is a class that says what it takes (`dtypes`), prepares in its constructor and computes in
// `void operator()(const Tensors&) const`. What else it may say of itself, sdk/include/tenon/plugin/capsule.h lists.
// A file of kernels ends by naming the operations that they serve:
//
//   TENON_CAPSULES capsules = join(exact<"softmax", Softmax>, ...);
//
// and needs no mention anywhere else. A gradient of this device's own is a computation like the others, of the
// operation `X.vjp`: SoftmaxVjp in losses.cpp is one.
//
// Ownership: the host keeps a prepared kernel until its last launch is done. Threads: launched by one thread per
// stream, computed by the stream's worker; const, so one kernel may be at work on several streams.
#pragma once
#include "../memory.h"
#include "../stream.h"
#include "tenon/numerics.h"
#include "tenon/plugin.hpp"

namespace acme {

using tenon::plugin::Arguments;
using tenon::plugin::FixedText;
using tenon::plugin::join;
using tenon::plugin::names;
using tenon::plugin::Reason;
using tenon::plugin::refuse;
using tenon::plugin::Results;
using tenon::plugin::SignatureView;
using tenon::plugin::strict_numerics;
using tenon::plugin::TensorView;

namespace strict = tenon::strict;

// -- providers: kernels of one origin -----------------------------------------------------------------------

/// The bits of docs/numerics.md: serves `--dtype float32`, where every device gives the same result.
struct Exact : tenon::plugin::Provider {
  static constexpr FixedText prefix = "vendor.exact";  // of the capsules' names: vendor.exact.relu.f32
  static constexpr const char* name = "exact";         // as in `--provider prefer:exact`
  static constexpr const char* memory_domain = "vendor";
  static constexpr std::uint32_t traits = TENON_TRAIT_ASYNC | TENON_TRAIT_REENTRANT;
  static constexpr tenon_numerics numerics = strict_numerics();
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_TESTED;
  static constexpr const char* provenance = "tenon check";
};

/// Faster, and near: serves `--dtype float32:fast` and `--dtype float`, and comes before the exact ones there.
struct Fast : Exact {
  static constexpr FixedText prefix = "vendor.fast";
  static constexpr const char* name = "fast";
  static constexpr std::int32_t priority = 10;
  static constexpr std::uint32_t evidence = TENON_EVIDENCE_DECLARED;
  static constexpr const char* provenance = "bfloat16 products, binary32 sums";
};

// -- what a computation sees --------------------------------------------------------------------------------

/// The operands, results and scalars of one launch, numbered as in SignatureView.
class Tensors {
 public:
  explicit Tensors(const Launch& launch) : launch_(launch) {}

  template <class T = float>
  const T* operand(std::uint32_t i) const {
    return reinterpret_cast<const T*>(launch_.tensors[i]);
  }
  template <class T = float>
  T* output(std::uint32_t i = 0) const {
    return reinterpret_cast<T*>(launch_.tensors[launch_.operand_count + i]);
  }
  tenon_scalar scalar(std::uint32_t i) const { return launch_.scalars[i]; }

 private:
  const Launch& launch_;
};

// -- from a computation to a kernel -------------------------------------------------------------------------

/// What the SDK makes a capsule of. Its call is the launch: it copies the arguments, queues them and returns.
template <class Computation>
class Queued : public Computation {
 public:
  using Computation::Computation;

  void operator()(const Arguments& arguments) const {
    static_assert(tenon::plugin::tensor_count<Computation> <= Launch::max_tensors);
    Launch launch{compute, this, arguments.launch_id(), arguments.operand_count(), {}, {}};
    auto tensor = launch.tensors.begin();
    for (std::uint32_t i = 0; i < arguments.operand_count(); ++i) *tensor++ = place(arguments.operand_ref(i));
    for (std::uint32_t i = 0; i < arguments.output_count(); ++i) *tensor++ = place(arguments.output_ref(i));
    for (std::uint32_t i = 0; i < arguments.scalar_count(); ++i) launch.scalars[i] = arguments.scalar(i);
    tenon::plugin::from_handle<Stream>(arguments.stream()).launch(launch);
  }

 private:
  static void compute(const Launch& launch) {
    const Computation& computation = *static_cast<const Queued*>(launch.kernel);
    computation(Tensors(launch));
  }
};

template <FixedText Op, class Computation>
inline constexpr std::array exact{&tenon::plugin::capsule<Exact, Op, Queued<Computation>>};
template <FixedText Op, class Computation>
inline constexpr std::array fast{&tenon::plugin::capsule<Fast, Op, Queued<Computation>>};

/// A tensor as rows along its last axis; a tensor without axes is one row of one.
struct Rows {
  explicit Rows(const TensorView& tensor)
      : length(static_cast<std::uint64_t>(tensor.extent_from_end(1))),
        count(length == 0 ? 0 : tensor.elements() / length) {}
  std::uint64_t length, count;
};

}  // namespace acme
