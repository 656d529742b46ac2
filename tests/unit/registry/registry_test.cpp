// Which capsule is chosen, and the reason that every other one is given.
#include "tenon/registry.h"

#include "host_table.h"
#include "support/plugin_of.h"
#include "support/test_device.h"

namespace tenon::test {
namespace {

constexpr tenon_dtype f32{TENON_DTYPE_FLOAT, 32, 1}, f64{TENON_DTYPE_FLOAT, 64, 1};
const tenon_dtype two_f32[] = {f32, f32}, two_f64[] = {f64, f64};
const tenon_dtypes takes_f32{2, 0, two_f32}, takes_f64{2, 0, two_f64};

const tenon_numerics strict{sizeof(tenon_numerics), TENON_NUMERICS_STRICT, 1, 1, 1, 1, {}, {}};
const tenon_numerics loose{sizeof(tenon_numerics), 0, 14, 14, 14, 14, {}, {}};
const tenon_contract stated[TENON_CONTRACT_COUNT] = {{1, 1, "", ""}, {1, 1, "", ""}, {1, 1, "", ""}, {1, 1, "", ""}};
const tenon_contract one_missing[TENON_CONTRACT_COUNT] = {
    {1, 1, "", ""}, {1, 1, "", ""}, {0, 1, "", ""}, {1, 1, "", ""}};

std::int32_t accepts(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text*) { return TENON_OK; }
std::int32_t declines(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text* reason) {
  constexpr std::string_view words = "not on Mondays";
  reason->length = words.copy(reason->data, reason->capacity);
  return TENON_DECLINED;
}

/// A capsule of `scale` on the CPU's memory that everything admits.
tenon_capsule good(const char* name, const char* provider = "alpha") {
  tenon_capsule c{};
  c.size = sizeof c;
  c.name = name;
  c.op = "scale";
  c.provider = provider;
  c.memory_domain = "host";
  c.op_version_min = c.op_version_max = 1;
  c.trust = TENON_TRUST_CHECKED;
  c.gradient = TENON_GRADIENT_BY_OPERATIONS;
  c.layouts = TENON_LAYOUT_DENSE;
  static const char* const attributes[] = {"factor"};
  c.attributes = attributes;
  c.attribute_count = 1;
  c.dtypes = &takes_f32;
  c.dtypes_count = 1;
  c.numerics = &strict;
  c.contracts = stated;
  c.supports = accepts;
  return c;
}

Request scale_of_f32(GradientMode mode = GradientMode::training) {
  const TensorType type{DType::f32, Shape{2, 3}};
  return {Op::scale, Factor{2}, {type}, {type}, mode};
}

using Capsules = std::vector<tenon_capsule>;

Choice choice_of(std::vector<Capsules> plugins, const SelectionPolicy& policy = {},
                 const Request& request = scale_of_f32()) {
  static const std::shared_ptr<Device> device = registry_of("cpu").device();
  std::vector<std::shared_ptr<LoadedPlugin>> loaded;
  for (Capsules& capsules : plugins)
    loaded.push_back(std::make_shared<PluginOf>("p" + std::to_string(loaded.size()), std::move(capsules)));
  return Registry(device, loaded, policy).choose(request);
}

std::string chosen(const Choice& choice) { return choice.capsule == nullptr ? "none" : choice.why; }

TEST(Registry, TakesTheFirstOfEqualsAndSaysOverWhat) {
  const Choice choice = choice_of({{good("a"), good("b")}, {good("c")}});
  EXPECT_EQ(chosen(choice), "first of 3 admissible");
  ASSERT_EQ(choice.rejected.size(), 2u);
  EXPECT_EQ(choice.rejected[0].capsule, "b");
  EXPECT_EQ(choice.rejected[0].reason, Reason::LATER_IN_ORDER);
}

TEST(Registry, PutsPriorityBeforeDeclarationButAfterThePlugin) {
  tenon_capsule eager = good("eager");
  eager.priority = 5;
  Choice choice = choice_of({{good("plain"), eager}});
  EXPECT_EQ(choice.rejected[0].capsule, "plain");
  choice = choice_of({{good("plain")}, {eager}});
  EXPECT_EQ(choice.rejected[0].capsule, "eager");
}

TEST(Registry, PrefersAProviderAndFallsBackToTheFirst) {
  SelectionPolicy policy;
  policy.provider = {ProviderPolicy::Rule::prefer, "beta"};
  const Choice choice = choice_of({{good("a"), good("b", "beta")}}, policy);
  EXPECT_EQ(chosen(choice), "preferred provider");
  EXPECT_EQ(choice.rejected[0].capsule, "a");
  EXPECT_EQ(chosen(choice_of({{good("a")}}, policy)), "only admissible");
}

struct Refused {
  const char* what;
  tenon_capsule capsule;
  Reason reason;
  std::string detail;
  SelectionPolicy policy{};
};

tenon_capsule with(void (*change)(tenon_capsule&)) {
  tenon_capsule c = good("c");
  change(c);
  return c;
}

std::vector<Refused> refusals() {
  SelectionPolicy strict_policy, only_beta;
  strict_policy.strict = true;
  only_beta.provider = {ProviderPolicy::Rule::only, "beta"};
  return {
      {"domain", with([](tenon_capsule& c) { c.memory_domain = "cuda"; }), Reason::OTHER_DEVICE, "cuda"},
      {"version", with([](tenon_capsule& c) { c.op_version_min = c.op_version_max = 2; }), Reason::OP_VERSION,
       "operation version 1"},
      {"dtype", with([](tenon_capsule& c) { c.dtypes = &takes_f64; }), Reason::OTHER_DTYPE, "f64 f64"},
      {"strict", with([](tenon_capsule& c) { c.numerics = &loose; }), Reason::NOT_STRICT, "", strict_policy},
      {"no numerics", with([](tenon_capsule& c) { c.numerics = nullptr; }), Reason::NOT_STRICT, "", strict_policy},
      {"trust", with([](tenon_capsule& c) { c.trust = TENON_TRUST_EXTERNAL; }), Reason::TRUST_REFUSED,
       "trusted-external"},
      {"provider", good("c"), Reason::PROVIDER_EXCLUDED, "provider alpha", only_beta},
      {"gradient", with([](tenon_capsule& c) { c.gradient = TENON_GRADIENT_NONE; }), Reason::GRADIENT_MODE,
       "evaluation only"},
      {"layout", with([](tenon_capsule& c) { c.layouts = TENON_LAYOUT_STRIDED; }), Reason::LAYOUT_UNSUPPORTED, "dense"},
      {"contract", with([](tenon_capsule& c) { c.contracts = one_missing; }), Reason::CONTRACT_MISSING, "value"},
      {"attribute", with([](tenon_capsule& c) { c.attribute_count = 0; }), Reason::ATTRIBUTE_UNKNOWN, "factor"},
      {"scalars", with([](tenon_capsule& c) { c.traits = TENON_TRAIT_DEVICE_SCALARS; }), Reason::TRAIT_UNSUPPORTED,
       "scalars in device memory"},
      {"shapes", with([](tenon_capsule& c) { c.traits = TENON_TRAIT_SHAPE_FREE; }), Reason::TRAIT_UNSUPPORTED,
       "shapes at launch"},
      {"words", with([](tenon_capsule& c) { c.supports = declines; }), Reason::DECLINED, "not on Mondays"},
  };
}

TEST(Registry, KeepsTheReasonOfEveryRejection) {
  for (const Refused& r : refusals()) {
    SCOPED_TRACE(r.what);
    const Choice choice = choice_of({{r.capsule}}, r.policy);
    EXPECT_EQ(choice.capsule, nullptr);
    ASSERT_EQ(choice.rejected.size(), 1u);
    EXPECT_EQ(info(choice.rejected[0].reason).name, info(r.reason).name);
    EXPECT_EQ(choice.rejected[0].detail, r.detail);
  }
}

/// Leaves words behind although it agrees.
std::int32_t agrees_and_talks(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text*) {
  static_cast<const tenon_host*>(host::host_table(TENON_ABI))->set_error(TENON_ERROR_OUT_OF_MEMORY, "words of another");
  return TENON_OK;
}
std::int32_t fails_mutely(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text*) {
  return TENON_ERROR_INVALID_ARGUMENT;
}

TEST(Registry, GivesNoReasonOfAnEarlierCall) {
  tenon_capsule talks = good("talks"), mute = good("mute");
  talks.supports = agrees_and_talks;
  mute.supports = fails_mutely;
  const Choice choice = choice_of({{talks, mute}});
  EXPECT_EQ(chosen(choice), "only admissible");
  ASSERT_EQ(choice.rejected.size(), 1u);
  EXPECT_EQ(choice.rejected[0].reason, Reason::DECLINED);
  EXPECT_TRUE(choice.rejected[0].detail.ends_with("without a word)")) << choice.rejected[0].detail;
}

TEST(Registry, AdmitsWhatOnlyTrainingExcludes) {
  tenon_capsule evaluation_only = good("c");
  evaluation_only.gradient = TENON_GRADIENT_NONE;
  EXPECT_EQ(chosen(choice_of({{evaluation_only}}, {}, scale_of_f32(GradientMode::evaluation))), "only admissible");
}

TEST(Registry, ListedAttributesMatterOnlyWhereTheyDifferFromTheDefault) {
  tenon_capsule c = good("c");
  c.attribute_count = 0;
  Request request = scale_of_f32();
  request.attributes = Factor{};
  EXPECT_EQ(chosen(choice_of({{c}}, {}, request)), "only admissible");
}

TEST(Registry, DisablesALaterPluginsCapsuleOfTheSameName) {
  const Choice choice = choice_of({{good("same")}, {good("same")}});
  EXPECT_EQ(chosen(choice), "only admissible");
  ASSERT_EQ(choice.rejected.size(), 1u);
  EXPECT_EQ(choice.rejected[0].reason, Reason::DUPLICATE_CAPSULE);
  EXPECT_EQ(choice.rejected[0].detail, "p0");
}

TEST(Registry, SaysWhoseGradientADerivedOperationIs) {
  tenon_capsule own = good("own");
  own.op = "exp.vjp";
  own.attribute_count = 0;
  static const tenon_dtype four_f32[] = {f32, f32, f32, f32};
  static const tenon_dtypes takes_four{4, 0, four_f32};
  own.dtypes = &takes_four;
  const TensorType type{DType::f32, Shape{2, 3}};
  const Request request{vjp_of(Op::exp), {}, {type, type, type}, {type}, GradientMode::training};
  const Choice choice = choice_of({{own}}, {}, request);
  EXPECT_EQ(chosen(choice), "own gradient of exp, only admissible");
}

TEST(Registry, OfAnotherOperationNothingIsSaid) {
  tenon_capsule other = good("other");
  other.op = "neg";
  const Choice choice = choice_of({{other}});
  EXPECT_EQ(choice.capsule, nullptr);
  EXPECT_TRUE(choice.rejected.empty());
}

TEST(Registry, KeepsRejectionsInCatalogueOrder) {
  SelectionPolicy policy;
  policy.provider = {ProviderPolicy::Rule::prefer, "beta"};
  tenon_capsule wide = good("b");
  wide.dtypes = &takes_f64;
  const Choice choice = choice_of({{good("a"), wide, good("c")}, {good("d", "beta"), good("e")}}, policy);
  EXPECT_EQ(chosen(choice), "preferred provider");
  std::string order;
  for (const Rejection& r : choice.rejected) order += r.capsule + " ";
  EXPECT_EQ(order, "a b c e ");
  EXPECT_EQ(choice.rejected[0].detail, "d");
}

/// Declines every device that there is.
std::int32_t only_without_device(const tenon_capsule*, tenon_device* device, const tenon_signature*, tenon_text*) {
  return device == nullptr ? TENON_OK : TENON_DECLINED;
}

TEST(Registry, AsksForAnyDeviceOfADomainWhereNoneIsOpen) {
  tenon_capsule here = good("here"), elsewhere = good("elsewhere");
  here.memory_domain = "far";
  here.supports = only_without_device;
  const Registry registry({"acme/far:3", "far"}, {std::make_shared<PluginOf>("p", Capsules{elsewhere, here})}, {});
  EXPECT_EQ(registry.device(), nullptr);
  const Choice choice = registry.choose(scale_of_f32());
  ASSERT_NE(choice.capsule, nullptr);
  EXPECT_STREQ(choice.capsule->name, "here");
  EXPECT_EQ(choice.rejected.at(0).reason, Reason::OTHER_DEVICE);
  EXPECT_EQ(registry_of("cpu").target().memory_domain, "host");
  EXPECT_EQ(registry_of("cpu").target().name, "cpu:0");
}

TEST(Registry, AsksNothingOfAPluginThatIsNotInitialised) {
  tenon_capsule shy = good("shy"), wide = good("wide");
  shy.supports = nullptr;
  wide.dtypes = &takes_f64;
  const Registry registry({"cpu:0", "host"}, {std::make_shared<PluginOf>("p", Capsules{shy, wide}, false)}, {});
  const Choice choice = registry.choose(scale_of_f32());
  ASSERT_NE(choice.capsule, nullptr);
  EXPECT_STREQ(choice.capsule->name, "shy");
  EXPECT_EQ(choice.rejected.at(0).reason, Reason::OTHER_DTYPE);
}

TEST(Registry, AGapTellsOperandsDeviceAndEveryCandidate) {
  tenon_capsule wide = good("acme.scale.f64");
  wide.dtypes = &takes_f64;
  tenon_capsule shy = good("acme.scale.shy");
  shy.supports = declines;
  const Request request = scale_of_f32();
  const Choice choice = choice_of({{wide, shy}});
  EXPECT_EQ(explain_gap(request, choice, *registry_of("cpu").device()),
            "scale(x f32 (2, 3)) -> f32 (2, 3) [factor=2] on cpu:0, training:\n"
            "    acme.scale.f64: it takes other dtypes (f64 f64)\n"
            "    acme.scale.shy: it declined (not on Mondays)");
}

}  // namespace
}  // namespace tenon::test
