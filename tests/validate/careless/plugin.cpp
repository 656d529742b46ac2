// relu for the host's memory, as somebody wrote it who counts from one: it writes one element behind its output.
#include "tenon/plugin.hpp"
#include "tenon/numerics.h"

namespace {

using namespace tenon::plugin;

struct Careless : Provider {
  static constexpr FixedText prefix{"careless"};
  static constexpr const char* name = "careless";
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
    arguments.output<T>()[elements_] = T{-1};
  }

 private:
  std::uint64_t elements_;
};

TENON_CAPSULES capsules = for_types<Careless, "relu", Relu, float, double>;

struct CarelessPlugin {
  static constexpr Identity identity{"careless", "acme", "0.1.0"};
};

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer<CarelessPlugin>(query, reply);
}
