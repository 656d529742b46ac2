#include <set>

#include "harness.h"

namespace tenon::testing {
namespace {

using plugin::Arguments;
using plugin::Reason;
using plugin::SignatureView;

// -- what the builder makes of a vendor's class -------------------------------------------------------------

struct Acme : plugin::Provider {
  static constexpr plugin::FixedText prefix = "acme";
  static constexpr const char* name = "acme";
  static constexpr const char* memory_domain = "acme";
};

struct Plain {
  using dtypes = float(float, std::uint32_t);
  explicit Plain(const SignatureView&) {}
  void operator()(const Arguments&) const {}
};

struct Talkative {
  using dtypes = plugin::Results<double, double>(double, double);
  static constexpr auto attributes = plugin::names("axes");
  static constexpr bool differentiable = false;
  static constexpr const char* value = "as in the paper";
  static constexpr tenon_numerics numerics = plugin::strict_numerics();
  explicit Talkative(const SignatureView&) {}
  static bool supports(const SignatureView& signature, Reason& why) {
    if (signature.operand(0).elements() <= 4) return true;
    return why.decline("at most ", 4, " elements, given ", signature.operand(0).shape());
  }
  void operator()(const Arguments&) const {}
  std::uint64_t flops() const { return 42; }
};

TEST(CapsuleBuilder, FillsInSensibleFacts) {
  constexpr const tenon_capsule& made = plugin::capsule<Acme, "gather", Plain>;
  EXPECT_EQ(made.size, sizeof(tenon_capsule));
  EXPECT_STREQ(made.name, "acme.gather.f32");
  EXPECT_STREQ(made.op, "gather");
  EXPECT_STREQ(made.provider, "acme");
  EXPECT_EQ(made.trust, std::uint32_t{TENON_TRUST_EXTERNAL});
  EXPECT_EQ(made.gradient, std::uint32_t{TENON_GRADIENT_BY_OPERATIONS});
  EXPECT_EQ(made.attribute_count, 0u);
  ASSERT_EQ(made.dtypes->count, 3u);
  EXPECT_TRUE(plugin::same(made.dtypes->of[1], {TENON_DTYPE_UINT, 32, 1}));
  EXPECT_EQ(made.numerics->flags, TENON_NUMERICS_DETERMINISTIC);
  for (int field = 0; field < TENON_CONTRACT_COUNT; ++field) {
    EXPECT_EQ(made.contracts[field].claim, std::uint32_t{TENON_CLAIM_STATED});
    EXPECT_NE(made.contracts[field].summary, nullptr);
    EXPECT_NE(made.contracts[field].provenance, nullptr);
  }
}

TEST(CapsuleBuilder, TakesWhatAKernelSaysOfItself) {
  constexpr const tenon_capsule& made = plugin::capsule<Acme, "split", Talkative>;
  EXPECT_STREQ(made.name, "acme.split.f64");
  EXPECT_STREQ(made.attributes[0], "axes");
  EXPECT_EQ(made.dtypes->count, 4u);
  EXPECT_EQ(made.contracts[TENON_CONTRACT_VJP].claim, std::uint32_t{TENON_CLAIM_NONE});
  EXPECT_STREQ(made.contracts[TENON_CONTRACT_VALUE].summary, "as in the paper");
  EXPECT_NE(made.numerics->flags & TENON_NUMERICS_STRICT, 0u);
}

class Declines : public PluginTest {
 protected:
  static void two(Call& call, const Extents& shape, const std::vector<double>& values) {
    call.operand<double>(shape, values).operand<double>(shape, values).output<double>(shape).output<double>(shape);
  }
  static constexpr const tenon_capsule* capsule = &plugin::capsule<Acme, "split", Talkative>;
};

TEST_F(Declines, InTheKernelsOwnWords) {
  Call call(capsule, "split.f64");
  two(call, {5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(call.supports(), TENON_DECLINED);
  EXPECT_EQ(call.reason, "at most 4 elements, given (5)");
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[split] acme.split.f64 does not serve this: at most 4 elements, given (5)");
}

TEST_F(Declines, OtherTypesCountsLayoutsAndAttributes) {
  Call types(capsule, "split.f64");
  types.operand<double>({1}, {1}).operand<float>({1}, {1}).output<double>({1}).output<double>({1});
  EXPECT_EQ(types.supports(), TENON_DECLINED);
  EXPECT_EQ(types.reason, "operand 1 is f32, serves f64");

  Call counts(capsule, "split.f64");
  counts.operand<double>({1}, {1}).output<double>({1});
  EXPECT_EQ(counts.supports(), TENON_DECLINED);
  EXPECT_EQ(counts.reason, "serves 2 operands and 2 results, given 1 and 1");

  Call layouts(capsule, "split.f64");
  two(layouts, {1}, {1});
  EXPECT_EQ(layouts.layout_of_operand(0, TENON_LAYOUT_STRIDED).supports(), TENON_DECLINED);
  EXPECT_EQ(layouts.reason, "operand 0 has a layout that is not served");

  Call attributes(capsule, "split.f64");
  two(attributes, {1}, {1});
  EXPECT_EQ(attributes.real("sections", 2).supports(), TENON_DECLINED);
  EXPECT_EQ(attributes.reason, "knows no attribute sections");
}

TEST_F(Declines, WithoutRoomForAReason) {
  Call call(capsule, "split.f64");
  two(call, {5}, {1, 2, 3, 4, 5});
  EXPECT_EQ(capsule->supports(capsule, nullptr, &call.signature(), nullptr), TENON_DECLINED);
  char few[4];
  tenon_text text{few, sizeof few, 0};
  EXPECT_EQ(capsule->supports(capsule, nullptr, &call.signature(), &text), TENON_DECLINED);
  EXPECT_EQ(std::string(few, text.length), "at m");
}

TEST_F(Declines, SignaturesOfSeveralNodes) {
  Call call(capsule, "split.f64");
  two(call, {1}, {1});
  tenon_signature several = call.signature();
  several.node_count = 2;
  char words[80];
  tenon_text text{words, sizeof words, 0};
  EXPECT_EQ(capsule->supports(capsule, nullptr, &several, &text), TENON_DECLINED);
  EXPECT_EQ(std::string(words, text.length), "serves one node: the signature has 2");
}

TEST_F(Declines, NothingElse) {
  Call call(capsule, "split.f64");
  two(call, {2, 2}, {1, 2, 3, 4});
  EXPECT_EQ(call.supports(), TENON_OK);
  ASSERT_EQ(call.integers("axes", {0}).prepare(), TENON_OK);
  EXPECT_EQ(call.kernel.flops, 42u);
  EXPECT_EQ(call.kernel.bytes_read, 64u);
  EXPECT_EQ(call.kernel.bytes_written, 64u);
}

// -- exceptions ---------------------------------------------------------------------------------------------

template <int Kind>
struct Throwing {
  using dtypes = float(float);
  explicit Throwing(const SignatureView&) {}
  void operator()(const Arguments&) const {
    if (Kind == 0) throw plugin::KernelError(TENON_ERROR_DEVICE_LOST, "gone");
    if (Kind == 1) throw std::bad_alloc();
    if (Kind == 2) throw std::runtime_error("of the library");
    if (Kind == 3) throw 7;
  }
};

template <int Kind>
std::int32_t launch_throwing() {
  Call call(&plugin::capsule<Acme, "fails", Throwing<Kind>>, "fails.f32");
  call.operand<float>({1}, {1}).output<float>({1});
  return call.run();
}

class Guard : public PluginTest {};

TEST_F(Guard, LetsNoExceptionOutAndKeepsStatusAndWords) {
  EXPECT_EQ(launch_throwing<0>(), TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(TestHost::error, "gone");
  EXPECT_EQ(launch_throwing<1>(), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_EQ(TestHost::error, "out of host memory");
  EXPECT_EQ(launch_throwing<2>(), TENON_ERROR);
  EXPECT_EQ(TestHost::error, "of the library");
  EXPECT_EQ(launch_throwing<3>(), TENON_ERROR);
  EXPECT_EQ(TestHost::error, "an exception of unknown type");
}

TEST_F(Guard, WorksWithoutAHost) {
  plugin::host = nullptr;
  EXPECT_EQ(plugin::guard([] { throw 7; }), TENON_ERROR);
  EXPECT_EQ(plugin::guard([] {}), TENON_OK);
  EXPECT_EQ(plugin::guard([] { return TENON_PENDING; }), TENON_PENDING);
}

TEST_F(Guard, RefusesAnAttributeOfTheWrongType) {
  Call call("scale.f32");
  call.operand<float>({1}, {1}).output<float>({1}).flag("factor", true);
  EXPECT_EQ(call.prepare(), TENON_ERROR_INVALID_ARGUMENT);
  EXPECT_EQ(TestHost::error, "[scale] attribute factor: value of type 1, expected 2");
}

// -- arguments wherever the host puts them ------------------------------------------------------------------

TEST_F(Guard, FindsAnOperandThatIsGivenTwice) {
  Call call("mul.f32");
  call.operand<float>({2}, {3, 4}).operand<float>({2}, {0, 0}).output<float>({2});
  tenon_signature square = call.signature();
  const std::uint32_t twice[] = {0, 0}, result[] = {2};
  tenon_node node = *square.nodes[0];
  node.inputs = twice;
  const tenon_node* nodes[] = {&node};
  square.nodes = nodes;
  square.input_count = 1, square.inputs = twice, square.outputs = result;

  const tenon_capsule& capsule = *find_capsule("cpu.reference.mul.f32");
  tenon_kernel kernel{};
  ASSERT_EQ(capsule.prepare(&capsule, nullptr, &square, &kernel), TENON_OK);
  float x[] = {3, 4}, y[] = {0, 0};
  const tenon_ref refs[] = {{reinterpret_cast<std::uintptr_t>(x), 0}, {reinterpret_cast<std::uintptr_t>(y), 0}};
  const tenon_args args{refs, nullptr, {}, {}, nullptr, 1, {}};
  EXPECT_EQ(capsule.launch(kernel.kernel, &args, nullptr), TENON_OK);
  capsule.release(kernel.kernel);
  EXPECT_EQ(y[0], 9);
  EXPECT_EQ(y[1], 16);
}

// -- the reference provider as a whole ----------------------------------------------------------------------

TEST(ReferenceCapsules, AreFoundWithoutGapsAndNamedOnce) {
  std::set<std::string> names;
  for (const tenon_capsule* capsule : plugin::linked_capsules()) {
    ASSERT_NE(capsule, nullptr);
    EXPECT_TRUE(names.insert(capsule->name).second) << capsule->name;
  }
  EXPECT_EQ(names.size(), plugin::linked_capsules().size());
}

TEST(ReferenceCapsules, ServeEveryOperationInBothTypesStrictly) {
  for (const tenon_capsule* capsule : plugin::linked_capsules()) {
    if (std::string(capsule->provider) != "reference") continue;
    for (const char* type : {".f32", ".f64"}) {
      EXPECT_NE(find_capsule(std::string("cpu.reference.") + capsule->op + type), nullptr) << capsule->op << type;
    }
    EXPECT_EQ(capsule->numerics->flags, TENON_NUMERICS_STRICT | TENON_NUMERICS_DETERMINISTIC);
    EXPECT_EQ(capsule->trust, std::uint32_t{TENON_TRUST_CHECKED});
    EXPECT_EQ(capsule->layouts, TENON_LAYOUT_DENSE);
    EXPECT_STREQ(capsule->memory_domain, "host");
  }
}

}  // namespace
}  // namespace tenon::testing
