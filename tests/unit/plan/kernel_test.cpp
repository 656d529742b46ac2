// What is said of a capsule that cannot prepare a kernel.
#include "tenon/kernel.h"

#include "host_table.h"
#include "support/plugin_of.h"
#include "support/test_device.h"

namespace tenon::test {
namespace {

/// Leaves words behind although it agrees.
std::int32_t agrees_and_talks(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_text*) {
  static_cast<const tenon_host*>(host::host_table(TENON_ABI))->set_error(TENON_ERROR_OUT_OF_MEMORY, "words of another");
  return TENON_OK;
}
std::int32_t fails_mutely(const tenon_capsule*, tenon_device*, const tenon_signature*, tenon_kernel*) {
  return TENON_ERROR_INVALID_ARGUMENT;
}

tenon_capsule mute_fill(const Registry& cpu) {
  for (const tenon_capsule* capsule : cpu.device()->plugin().capsules()) {
    if (std::string_view(capsule->op) != "fill") continue;
    tenon_capsule changed = *capsule;
    changed.supports = agrees_and_talks;
    changed.prepare = fails_mutely;
    return changed;
  }
  ADD_FAILURE() << "the CPU has no fill";
  return {};
}

TEST(Kernel, GivesNoReasonOfAnEarlierCall) {
  const Registry cpu = registry_of("cpu");
  const auto plugin = std::make_shared<PluginOf>("mute", std::vector{mute_fill(cpu)});
  const Registry registry(cpu.device(), {plugin}, {});
  const auto kernel = Kernel::prepare(
      registry, {Op::fill, Constant{Shape{3}, 1}, {}, {{DType::f32, Shape{3}}}, GradientMode::training});
  ASSERT_FALSE(kernel);
  EXPECT_EQ(kernel.error().reason, Reason::INVALID_ARGUMENT);
  EXPECT_EQ(kernel.error().text.find("words of another"), std::string::npos) << kernel.error().text;
  EXPECT_NE(kernel.error().text.find("without a word)"), std::string::npos) << kernel.error().text;
}

}  // namespace
}  // namespace tenon::test
