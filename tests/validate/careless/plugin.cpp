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

std::int32_t initialize(const tenon_attr*, std::uint32_t, void** self) {
  *self = nullptr;
  return TENON_OK;
}
std::int32_t quiesce(void*) { return TENON_OK; }
void shutdown(void*) {}
const void* extension(void*, const char*, std::uint32_t) { return nullptr; }

const tenon_plugin* table() {
  static const tenon_plugin plugin = [] {
    tenon_plugin p{};
    p.size = sizeof p;
    p.id = "careless";
    p.vendor = "acme";
    p.version = "0.1.0";
    p.build = __VERSION__;
    p.capsule_count = static_cast<std::uint32_t>(linked_capsules().size());
    p.capsules = linked_capsules().data();
    p.initialize = initialize;
    p.quiesce = quiesce;
    p.shutdown = shutdown;
    p.extension = extension;
    return p;
  }();
  return &plugin;
}

}  // namespace

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return answer_query("careless", query, reply, table);
}
