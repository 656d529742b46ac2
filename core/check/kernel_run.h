// kernel_run.h: a capsule's kernels on drawn cases: asked for, prepared, placed in memory and launched, each step by
// the capsule's own slots.
//
// A DrawnCase owns what its signature points to. One thread; kernels end before their lane.
#pragma once
#include <functional>

#include "bench.h"
#include "tenon/abi_values.h"
#include "tenon/draw_case.h"

namespace tenon::check {

/// A case of the operation's table, in dtypes that the capsule takes.
struct DrawnCase {
  DrawnCase(const tenon_capsule& capsule, Op op, const Case& source, DType real, GradientMode mode);

  std::string name;  // "case '(17) (17)' in f32"
  Case source;
  DType real;
  std::vector<HostArray> operands;  // as kernels receive them
  Request request;
  AbiSignature signature;

  std::vector<Bytes> operand_bytes() const;
  std::vector<HostArray> expected() const { return reference_of(request.op, source, operands); }
  bool has_elements() const;
};

/// Skipped if the operation or the dtypes are none of this Tenon's; calls back for every case until a verdict fails.
Verdict for_each_case(const tenon_capsule& capsule, const std::function<Verdict(const DrawnCase&)>& visit);

/// supports(): OK or a refusal, whose words are handed back if wanted.
sought<bool> serves(const Lane& lane, const tenon_capsule& capsule, const tenon_signature& signature,
                    std::string* words = nullptr);

/// What capsules/serves says is said once.
tl::unexpected<Finding> serves_nothing();

/// The first case with elements that the capsule serves; skipped if there is none.
sought<std::unique_ptr<DrawnCase>> a_served_case(const Lane& lane, const tenon_capsule& capsule);

struct Served {
  Lane* lane;
  std::unique_ptr<DrawnCase> drawn;
};
/// The bench's lane and such a case.
sought<Served> served_case(Bench& bench, const tenon_capsule& capsule);

/// What prepare gave.
Verdict release(const tenon_capsule& capsule, void* kernel);

class PreparedKernel {
 public:
  static sought<PreparedKernel> prepare(const Lane& lane, const tenon_capsule& capsule,
                                        const tenon_signature& signature);
  PreparedKernel(PreparedKernel&& other) noexcept
      : capsule_(std::exchange(other.capsule_, nullptr)), prepared_(other.prepared_) {}
  PreparedKernel& operator=(PreparedKernel&&) = delete;
  ~PreparedKernel();

  const tenon_kernel& prepared() const { return prepared_; }
  Verdict launch(const tenon_args& args, tenon_stream* stream) const;
  std::int32_t raw_launch(const tenon_args& args, tenon_stream* stream) const {
    return capsule_->launch(prepared_.kernel, &args, stream);
  }

 private:
  PreparedKernel(const tenon_capsule& capsule, const tenon_kernel& prepared)
      : capsule_(&capsule), prepared_(prepared) {}
  const tenon_capsule* capsule_;
  tenon_kernel prepared_;
};

enum class Placement { apart, in_granted_places };

/// A case's operands, results and workspace in device memory, each in the middle of a piece of its own.
class PlacedCase {
 public:
  static sought<PlacedCase> place(const Lane& lane, const DrawnCase& drawn, const tenon_kernel& prepared,
                                  Placement placement);

  tenon_args args() const;
  /// After the stream's work.
  sought<std::vector<Bytes>> outputs(const Lane& lane) const;
  /// Nothing but results, workspace and operands that the operation updates was written.
  Verdict wrote_results_only(const Lane& lane) const;

 private:
  struct Piece {
    Memory memory;
    Bytes before;  // all of it, as it was before the launch
    std::uint64_t offset_bytes = 0, bytes = 0;
    bool may_change = false;
    std::string name;
  };
  PlacedCase() = default;
  Verdict add(const Lane& lane, std::string name, std::span<const std::byte> content, std::uint64_t bytes,
              bool may_change);
  std::vector<Piece> pieces_;
  std::vector<tenon_ref> refs_;
  std::vector<std::size_t> output_pieces_;
  std::vector<std::uint64_t> output_bytes_;
  tenon_ref workspace_{};
  std::vector<tenon_scalar> scalars_;
};

/// Prepare, place, launch, wait, read.
sought<std::vector<Bytes>> run_case(const Lane& lane, const tenon_capsule& capsule, const DrawnCase& drawn,
                                    Placement placement = Placement::apart);

/// The finding with the case's name before what was found.
tl::unexpected<Finding> in_case(const DrawnCase& drawn, Finding finding);

}  // namespace tenon::check
