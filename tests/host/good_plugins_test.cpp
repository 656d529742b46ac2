// The plugins of this build: what their manifests say is what they do, and their devices work.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>
#include <set>

#include "tenon/device.h"
#include "tenon/probe.h"
#include "unit/host/temp_folder.h"

namespace tenon {
namespace {

Catalogue own_catalogue() {
  auto catalogue = Catalogue::scan({});
  EXPECT_TRUE(catalogue) << catalogue.error().text;
  return *std::move(catalogue);
}

std::set<std::string> kinds_of(const Manifest& manifest) {
  std::set<std::string> out;
  for (const ManifestDevice& device : manifest.devices) out.insert(device.kind);
  return out;
}

TEST(OwnPlugins, BringTheKindsThatTheirManifestsName) {
  const test::TempFolder root;
  const test::Variable cache("XDG_CACHE_HOME", root.path().string());
  int own = 0;
  const Catalogue catalogue = own_catalogue();
  for (const Candidate& candidate : catalogue.candidates()) {
    if (!candidate.own) continue;
    ++own;
    ASSERT_FALSE(candidate.error) << candidate.error->text;
    const auto report = probe(candidate, true);
    ASSERT_TRUE(report && !report->error) << candidate.file;
    std::set<std::string> kinds;
    for (const DeviceFacts& device : report->devices) kinds.insert(device.kind);
    EXPECT_EQ(kinds, kinds_of(candidate.manifest));
    EXPECT_FALSE(report->warning);
  }
  EXPECT_GT(own, 0);
}

class CpuDevice : public testing::Test {
 protected:
  CpuDevice() {
    const auto candidate = find_plugin({"", "cpu", 0}, own_catalogue());
    EXPECT_TRUE(candidate) << candidate.error().text;
    EXPECT_TRUE(candidate->own);
    plugin = *LoadedPlugin::load(*candidate, {});
    auto opened = Device::open(plugin, "cpu", 0);
    EXPECT_TRUE(opened) << opened.error().text;
    device = *std::move(opened);
  }

  std::shared_ptr<LoadedPlugin> plugin;
  std::shared_ptr<Device> device;
};

TEST_F(CpuDevice, HasANameThatCanBeAskedFor) { EXPECT_EQ(device->name(), "cpu:0"); }

TEST_F(CpuDevice, GivesBackWhatWasWritten) {
  const std::vector<float> numbers{1, 2, 3, 4};
  std::vector<float> back(numbers.size());
  const auto buffer = Buffer::allocate(device, numbers.size() * sizeof(float));
  ASSERT_TRUE(buffer) << buffer.error().text;
  ASSERT_TRUE(device->write(buffer->ref(), std::as_bytes(std::span(numbers))));
  ASSERT_TRUE(device->read(std::as_writable_bytes(std::span(back)), buffer->ref()));
  EXPECT_EQ(back, numbers);
}

TEST_F(CpuDevice, MovesBuffersAndFreesThemOnce) {
  auto first = Buffer::allocate(device, 64), second = Buffer::allocate(device, 128);
  const std::uint64_t handle = first->ref().memory;
  *second = std::move(*first);
  EXPECT_EQ(second->ref().memory, handle);
  EXPECT_EQ(second->bytes(), 64u);
  EXPECT_EQ(first->bytes(), 0u);
}

TEST_F(CpuDevice, TakesNoBytesForNoBytes) {
  const auto buffer = Buffer::allocate(device, 0);
  ASSERT_TRUE(buffer);
  EXPECT_EQ(buffer->ref().memory, 0u);
  EXPECT_TRUE(device->write(buffer->ref(), {}));
  EXPECT_TRUE(device->read({}, buffer->ref()));
}

TEST_F(CpuDevice, SaysWhatWasAskedAndWhatIsFree) {
  const auto buffer = Buffer::allocate(device, std::uint64_t{1} << 62);
  ASSERT_FALSE(buffer);
  EXPECT_EQ(buffer.error().reason, Reason::OUT_OF_MEMORY);
  EXPECT_TRUE(buffer.error().text.starts_with("[cpu:0] out of memory: 4611686018427387904 bytes were asked for, "))
      << buffer.error().text;
}

TEST_F(CpuDevice, NamesTheOrdinalsThatExist) {
  const auto none = Device::open(plugin, "cpu", 7);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, Reason::NO_DEVICE);
  EXPECT_NE(none.error().text.find("[device] cpu:7: "), std::string::npos) << none.error().text;
  EXPECT_NE(none.error().text.find("it found cpu:0"), std::string::npos) << none.error().text;
}

TEST_F(CpuDevice, IsNotProbed) {
  const test::TempFolder root;
  const test::Variable cache("XDG_CACHE_HOME", root.path().string());
  EXPECT_TRUE(LoadedPlugin::load(plugin->candidate(), {}));
  EXPECT_TRUE(std::filesystem::is_empty(root.path()));
}

TEST_F(CpuDevice, EveryCapsuleIsUsable) {
  EXPECT_FALSE(plugin->capsules().empty());
  for (const RejectedCapsule& rejected : plugin->rejected_capsules()) ADD_FAILURE() << rejected.error.text;
}

TEST_F(CpuDevice, FinishesItsWorkOnDemand) { EXPECT_TRUE(quiesce_plugins()); }

}  // namespace
}  // namespace tenon
