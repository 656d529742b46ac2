// Products of matrices by cuBLAS, for modes that ask for no strict bits: it promises no order of its sums.
//
// cuBLAS thinks in columns, and a row-major matrix is to it the transposed one. So a row-major product is asked for as
// the product of the operands in the other order, and nothing is moved.
#include "handles.h"
#include "ops/walks.h"
#include "products.h"

namespace tenon::gpu::cublas {
namespace {

/// Comes first where it is admissible.
struct Cublas : plugin::Provider {
  static constexpr FixedText prefix = FixedText(TENON_GPU_KIND) + FixedText(".cublas");
  static constexpr const char* name = "cublas";
  static constexpr const char* memory_domain = TENON_GPU_KIND;
  static constexpr std::uint32_t traits = TENON_TRAIT_ASYNC | TENON_TRAIT_REENTRANT;
  static constexpr std::int32_t priority = 20;
  static constexpr std::uint32_t trust = TENON_TRUST_CHECKED;
  static constexpr const char* provenance = "NVIDIA's word for cuBLAS, without TF32; tests/gpusim/cublas";
};

/// The library's functions for an element type.
template <class T>
constexpr auto product = nullptr;
template <>
constexpr auto product<float> = &Library::product_f32;
template <>
constexpr auto product<double> = &Library::product_f64;
template <class T>
constexpr auto products = nullptr;
template <>
constexpr auto products<float> = &Library::products_f32;
template <>
constexpr auto products<double> = &Library::products_f64;

/// What cuBLAS is called for: sum * result + left * right, the right matrices as they are or transposed.
template <class T>
class Calls {
 public:
  Calls(const Products& what, int right_form, T keep) : what_(what), right_form_(right_form), keep_(keep) {
    if (what.rows != 0 && what.columns != 0 && what.depth != 0 && what.batch.count != 0) places_ = what.places();
  }

  void run(const Arguments& arguments) const {
    if (places_.empty()) return;
    const Stream& stream = plugin::from_handle<Stream>(arguments.stream());
    stream.device().make_current();
    const auto* handle = static_cast<const StreamHandle*>(stream.attachment());
    if (handle == nullptr) refuse("[", TENON_GPU_KIND, "] this stream has no handle of cuBLAS");
    const T* left = pointer(arguments.operand_ref(0));
    const T* right = pointer(arguments.operand_ref(1));
    T* result = pointer(arguments.output_ref());
    for (const Place& at : places_) call(*handle, left + at.left, right + at.right, result + at.result);
  }
  std::uint64_t flops() const {
    return 2 * places_.size() *
           static_cast<std::uint64_t>(what_.batch.count * what_.rows * what_.columns * what_.depth);
  }

 private:
  static T* pointer(tenon_ref ref) { return reinterpret_cast<T*>(address_of(ref)); }

  void call(const StreamHandle& handle, const T* left, const T* right, T* result) const {
    const Library& library = handle.library();
    const auto& [rows, columns, depth, batch, around] = what_;
    const std::int64_t right_pitch = right_form_ == transposed ? depth : columns;
    const T one = 1;
    if (batch.count == 1) {
      handle.check((library.*product<T>)(handle.get(), right_form_, as_it_is, columns, rows, depth, &one, right,
                                         right_pitch, left, depth, &keep_, result, columns),
                   "cublasGemm");
    } else {
      handle.check((library.*products<T>)(handle.get(), right_form_, as_it_is, columns, rows, depth, &one, right,
                                          right_pitch, batch.right, left, depth, batch.left, &keep_, result, columns,
                                          batch.result, batch.count),
                   "cublasGemmStridedBatched");
    }
  }

  Products what_;
  int right_form_;
  T keep_;
  std::vector<Place> places_;
};

/// A kernel of ours for what cuBLAS does not do, if there is any, and its calls.
template <class Rule, class T>
class Kernel : public Rule {
 public:
  Kernel(const SignatureView& signature, tenon_device* handle)
      : plan_(signature, plugin::from_handle<Device>(handle)), calls_(Rule::calls(signature)) {
    const Handles& handles = Handles::of(plugin::from_handle<Device>(handle));
    if (!handles.trouble().empty()) refuse("[", signature.op(), "] ", handles.trouble());
    Rule::before(plan_);
  }
  void operator()(const Arguments& arguments) const {
    plan_.run(arguments);
    calls_.run(arguments);
  }
  std::uint64_t workspace_bytes() const { return plan_.workspace_bytes(); }
  std::uint64_t flops() const { return calls_.flops(); }

 private:
  Plan plan_;
  Calls<T> calls_;
};

template <class T>
struct Matmul {
  using dtypes = T(T, T);
  static bool supports(const SignatureView& s, Reason& why) {
    const std::uint64_t calls = of(s).calls();
    return calls <= most_calls || why.decline("leading axes that make ", calls, " calls: at most ", most_calls);
  }
  static Calls<T> calls(const SignatureView& s) { return {of(s), as_it_is, 0}; }
  /// Without products the sums are empty.
  static void before(Plan& plan) {
    const std::uint64_t n = plan.signature().output().elements();
    if (extent(plan.signature().operand(0), 1) == 0)
      plan.launch_threads("sources", "fill", pack_threads<T>(n), n, Output{}, T(0));
  }

 private:
  static Products of(const SignatureView& s) { return products_of(s.operand(0), s.operand(1), s.output()); }
};

template <class T>
struct Linear {
  using dtypes = T(T, T, T);
  static Calls<T> calls(const SignatureView& s) {
    const Rows rows = Rows::of(s.output());
    Products one;
    one.rows = static_cast<std::int64_t>(rows.count);
    one.columns = s.operand(1).extent_from_end(2);
    one.depth = s.operand(1).extent_from_end(1);
    return {one, transposed, 1};
  }
  /// The bias in every row, to which the product is added.
  static void before(Plan& plan) {
    const Rows rows = Rows::of(plan.signature().output());
    Walk walk = line(rows.count, 0);
    append_axis(walk, static_cast<std::int64_t>(rows.length), 1);
    if (walk.count != 0) plan.launch_threads("layout", "rearrange", walk.count, walk, Output{}, Operand{2});
  }
};

/// What a capsule answers once the signature is one that it serves: whether cuBLAS is there, on an open device. Of no
/// device in particular nobody knows that.
template <const tenon_capsule& capsule>
std::int32_t supports_where_installed(const tenon_capsule* self, tenon_device* device, const tenon_signature* signature,
                                      tenon_text* reason) {
  const std::int32_t status = capsule.supports(self, device, signature, reason);
  if (status != TENON_OK || device == nullptr) return status;
  return plugin::guard([&]() -> std::int32_t {
    const std::string& trouble = Handles::of(plugin::from_handle<Device>(device)).trouble();
    if (trouble.empty()) return TENON_OK;
    plugin::write(reason, trouble);
    return TENON_DECLINED;
  });
}

template <FixedText Op, class Rule, class T>
inline constexpr tenon_capsule where_installed = [] {
  constexpr const tenon_capsule& everywhere = plugin::capsule<Cublas, Op, Kernel<Rule, T>>;
  tenon_capsule capsule = everywhere;
  capsule.supports = supports_where_installed<plugin::capsule<Cublas, Op, Kernel<Rule, T>>>;
  return capsule;
}();

template <FixedText Op, template <class> class Rule>
inline constexpr std::array both = {&where_installed<Op, Rule<float>, float>,
                                    &where_installed<Op, Rule<double>, double>};

TENON_CAPSULES capsules = plugin::join(both<"matmul", Matmul>, both<"linear", Linear>);

}  // namespace
}  // namespace tenon::gpu::cublas
