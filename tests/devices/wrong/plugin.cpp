// A planted fault: relu for the CPU's memory, one part in 256 too large.
#include "tenon/plugin.hpp"

namespace {

using namespace tenon::plugin;

struct Planted : Provider {
  static constexpr FixedText prefix{"planted"};
  static constexpr const char* name = "planted";
  static constexpr const char* memory_domain = "host";
};

template <class T>
class Relu {
 public:
  using dtypes = T(T);

  explicit Relu(const SignatureView& signature) : elements_(signature.output().elements()) {}
  void operator()(const Arguments& arguments) const {
    for (std::uint64_t i = 0; i < elements_; ++i) {
      const T x = arguments.operand<T>(0)[i];
      arguments.output<T>()[i] = x > 0 ? x * T(1 + 0x1p-8) : T(0);
    }
  }

 private:
  std::uint64_t elements_;
};

TENON_CAPSULES capsules = for_types<Planted, "relu", Relu, float, double>;

struct SlightlyWrong {
  static constexpr Identity identity{"slightly_wrong", "planted", "0.1.0"};
};

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer<SlightlyWrong>(query, reply);
}
