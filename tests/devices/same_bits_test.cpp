// One test of the promise: each model, and a module by each optimizer, trained for ten seeded steps, gives the same
// parameters and optimizer state on every device in both backends.
#include "devices.h"

namespace tenon::test {
namespace {

// SHA-256 of all that is saved, as recorded on cpu: a new model, operation sequence or form of file changes it for all
// devices at once, and the failure prints the new one.
const std::string recorded = "b52f013563aefb55411496511efb6706d64d19817ddb1121df3f2f84f607c5a6";

class SameBits : public OnEveryDevice {
 protected:
  std::string strictly_trained(const std::string& on_kind, const std::string& backend) const {
    const std::string folder = on_kind + "-" + backend;
    train_all(folder, {}, on(on_kind) + Words{"--seed", "7", "--dtype", "float32", "--backend", backend});
    return folder;
  }
  std::string sha256_of(const std::string& folder) const {
    return place.shell("cd " + folder + " && LC_ALL=C && cat * | sha256sum | head -c 64").out;
  }
  /// Of each file, for a person to see which one differs.
  std::string sha256_of_each(const std::string& folder) const { return place.shell("sha256sum " + folder + "/*").out; }
};

TEST_P(SameBits, OfEveryModelAndOptimizerAreTheRecordedOnes) {
  for (const char* backend : {"eager", "compiled"}) {
    const std::string folder = strictly_trained(kind, backend);
    EXPECT_EQ(sha256_of(folder), recorded)
        << sha256_of_each(folder) << sha256_of_each(strictly_trained("cpu", "eager"));
  }
}

INSTANTIATE_TEST_SUITE_P(On, SameBits, every_kind_of_device, name_of_kind);

}  // namespace
}  // namespace tenon::test
