// What a loaded plugin's tables are with and without TENON_VALIDATE, and that a session's faults come out as errors.
#include <dlfcn.h>

#include "session/small_mlp.h"
#include "tenon/resolved_graph.h"
#include "tenon/validation.h"

namespace tenon::test {
namespace {

/// The file that a function belongs to.
template <class Function>
std::string file_of(Function* function) {
  Dl_info found{};
  if (::dladdr(reinterpret_cast<const void*>(function), &found) == 0) return "nowhere";
  return std::filesystem::path(found.dli_fname).filename();
}

TEST(Validation, CostsNothingWhereItIsNotAskedFor) {
  ::unsetenv("TENON_VALIDATE");
  EXPECT_EQ(validates(), false);
  const Registry registry = registry_of("cpu");
  const LoadedPlugin& plugin = registry.device()->plugin();
  for (const tenon_capsule* capsule : plugin.capsules()) {
    EXPECT_EQ(file_of(capsule->launch), "tenon_cpu.so") << capsule->name;
    EXPECT_EQ(file_of(capsule->prepare), "tenon_cpu.so") << capsule->name;
  }
  EXPECT_EQ(file_of(plugin.devices().copy), "tenon_cpu.so");
  EXPECT_EQ(file_of(plugin.devices().stream_synchronize), "tenon_cpu.so");
  EXPECT_EQ(plugin.devices_self(), plugin.self());
}

TEST(Validation, RefusesAValueThatIsNone) {
  for (const char* value : {"0", "", "1"}) {
    ::setenv("TENON_VALIDATE", value, 1);
    EXPECT_EQ(validates(), *value == '1') << value;
  }
  for (const char* value : {"2", "yes", "true", "on", " 1", "1\n"}) {
    ::setenv("TENON_VALIDATE", value, 1);
    const auto refused = validates();
    ASSERT_FALSE(refused) << value;
    EXPECT_EQ(refused.error().reason, Reason::USAGE);
    EXPECT_TRUE(refused.error().text.starts_with("[validate] TENON_VALIDATE: found \"")) << refused.error().text;
    EXPECT_TRUE(refused.error().text.ends_with(", expected 0 or 1")) << refused.error().text;
  }
  ::unsetenv("TENON_VALIDATE");
}

TEST(Validation, PutsCheckingFunctionsBetweenAndTrainsAlike) {
  ::setenv("TENON_VALIDATE", "1", 1);
  const std::uint64_t before = validation_faults();
  const Rows data(8);
  std::vector<double> losses;
  {
    Session session = session_of("late", small_mlp(), {.real = DType::f32, .training_batches = {8}});
    ::unsetenv("TENON_VALIDATE");  // the plugin is loaded
    const LoadedPlugin& plugin = session.device().plugin();
    EXPECT_NE(file_of(plugin.capsules()[0]->launch), "tenon_late.so");
    EXPECT_NE(plugin.devices_self(), plugin.self());
    ASSERT_TRUE(session.initialise(initial_values(session.program(), 1)));
    auto optimizer = session.init_optim({Op::adam, Moments{}});
    for (int i = 0; i < 3; ++i) losses.push_back(*session.train_step(data.batch(), *optimizer, 0.01));
  }
  Session plain = session_of("cpu", small_mlp(), {.real = DType::f32});
  ASSERT_TRUE(plain.initialise(initial_values(plain.program(), 1)));
  auto optimizer = plain.init_optim({Op::adam, Moments{}});
  for (const double loss : losses) EXPECT_EQ(loss, *plain.train_step(data.batch(), *optimizer, 0.01));
  EXPECT_EQ(validation_faults(), before);
}

TEST(Validation, MakesFaultsErrorsWithAReason) {
  ::setenv("TENON_VALIDATE", "1", 1);
  const Registry registry = registry_of("late");
  ::unsetenv("TENON_VALIDATE");
  Device& device = *registry.device();
  auto buffer = Buffer::allocate(registry.device(), 64);
  ASSERT_TRUE(buffer);
  const std::vector<std::byte> bytes(65);
  const auto written = device.write(buffer->ref(), bytes);
  ASSERT_FALSE(written);
  EXPECT_EQ(written.error().reason, Reason::VALIDATION_FAILED);
  EXPECT_TRUE(written.error().text.starts_with(
      "[fakes/late:0: copy to the device] copy_in of plugin late: to: found bytes 0 to 65"))
      << written.error().text;
  const auto clean = check_validation();
  ASSERT_FALSE(clean);
  EXPECT_EQ(clean.error().reason, Reason::VALIDATION_FAILED);
  EXPECT_TRUE(clean.error().text.starts_with("[validate] ")) << clean.error().text;
}

}  // namespace
}  // namespace tenon::test
