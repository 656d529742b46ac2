// Kernels of a third party, and no device: relu for whatever computes in the host's memory.
#include "tenon/plugin.hpp"
#include "tenon/numerics.h"

namespace {

using namespace tenon::plugin;

struct Acme : Provider {
  static constexpr FixedText prefix{"acme"};
  static constexpr const char* name = "acme";
  static constexpr const char* memory_domain = "host";
  static constexpr tenon_numerics numerics = strict_numerics();
};

template <class T>
class Relu {
 public:
  using dtypes = T(T);

  explicit Relu(const SignatureView& signature) : elements_(signature.output().elements()) {}
  void operator()(const Arguments& arguments) const {
    for (std::uint64_t i = 0; i < elements_; ++i)
      arguments.output<T>()[i] = tenon::strict::relu(arguments.operand<T>(0)[i]);
  }

 private:
  std::uint64_t elements_;
};

TENON_CAPSULES capsules = for_types<Acme, "relu", Relu, float, double>;

struct KernelsOnly {
  static constexpr Identity identity{"kernels_only", "acme", "0.1.0"};
};

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer<KernelsOnly>(query, reply);
}
