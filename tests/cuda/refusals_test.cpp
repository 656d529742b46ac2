// What the plugin says where it cannot serve. Each test runs in a process of its own, with the driver of its name in
// front of all others (CMakeLists.txt).
#include <gtest/gtest.h>

#include "host/plugin.h"
#include "host/stream.h"

namespace tenon::gpu {
namespace {

constexpr Image no_code[] = {{"sources", nullptr}};

struct Seen {
  std::string name, architecture, driver, why;
  std::int32_t usable;
};

std::vector<Seen> devices_of(Plugin& plugin) {
  std::vector<Seen> seen;
  const auto sink = [](void* context, const tenon_device_info* info) {
    const char* why = info->why_unusable == nullptr ? "" : info->why_unusable;
    static_cast<std::vector<Seen>*>(context)->push_back(
        {info->name, info->architecture, info->driver, why, info->usable});
  };
  plugin.enumerate(sink, &seen);
  return seen;
}

struct Lost {
  static inline std::uint64_t cookie = 0;
  static inline std::int32_t code = 0;
  static inline std::string words;
  static void note(std::uint64_t which, std::int32_t status, const char* text) {
    cookie = which, code = status, words = text;
  }
};

class Refusals : public ::testing::Test {
 protected:
  Refusals() {
    host.size = sizeof host;
    host.device_lost = Lost::note;
    plugin::host = &host;
  }
  Seen only() {
    const std::vector<Seen> seen = devices_of(plugin);
    EXPECT_EQ(seen.size(), 1U);
    return seen.empty() ? Seen() : seen.front();
  }
  std::string words_of_opening(std::uint32_t ordinal) {
    try {
      tenon_device* device = nullptr;
      plugin.open(ordinal, 0, nullptr, 0, &device);
    } catch (const plugin::KernelError& error) {
      return error.what();
    }
    return "opened";
  }

  tenon_host host{};
  Plugin plugin;
};

TEST_F(Refusals, MissingDriverIsNamedByItsLibrary) {
  const Seen seen = only();
  EXPECT_EQ(seen.usable, TENON_REASON_DRIVER_MISSING);
  EXPECT_EQ(seen.why,
            "libcuda.so.1: cannot open shared object file: No such file or directory: the NVIDIA driver is not "
            "installed, or is not visible to this process");
  EXPECT_EQ(words_of_opening(0), seen.why);
}

TEST_F(Refusals, OldDriverIsToldByItsVersion) {
  const Seen seen = only();
  EXPECT_EQ(seen.usable, TENON_REASON_DRIVER_TOO_OLD);
  EXPECT_EQ(seen.why,
            "libcuda.so.1: the driver is of version 12.4; this plugin needs version 13.0: update the NVIDIA driver");
}

TEST_F(Refusals, LackingDriverIsToldByAFunction) {
  const Seen seen = only();
  EXPECT_EQ(seen.usable, TENON_REASON_DRIVER_TOO_OLD);
  EXPECT_EQ(seen.why,
            "libcuda.so.1: it has no function cuDriverGetVersion; this plugin needs version 13.0: update the "
            "NVIDIA driver");
}

TEST_F(Refusals, StubDriverIsNone) {
  const Seen seen = only();
  EXPECT_EQ(seen.usable, TENON_REASON_DRIVER_MISSING);
  EXPECT_EQ(seen.why,
            "libcuda.so.1 is a stub to link with: an error (34): the NVIDIA driver is not installed, or is not visible "
            "to this process");
}

TEST_F(Refusals, BlindDriverIsQuoted) {
  const Seen seen = only();
  EXPECT_EQ(seen.usable, TENON_REASON_NO_DEVICE);
  EXPECT_EQ(seen.why, "libcuda.so.1 finds no device that it can use: no CUDA-capable device is detected (100)");
}

TEST_F(Refusals, EmptyDriverShowsNoDevice) {
  const Seen seen = only();
  EXPECT_EQ(seen.usable, TENON_REASON_NO_DEVICE);
  EXPECT_EQ(seen.why, "libcuda.so.1 shows no device: none is installed, or none is visible here");
  EXPECT_EQ(words_of_opening(0), "[cuda] there is no device cuda:0: the driver shows 0");
}

TEST_F(Refusals, FailingDeviceWithoutCodeIsToldApartFromItsNeighbour) {
  const std::vector<Seen> seen = devices_of(plugin);
  ASSERT_EQ(seen.size(), 2U);
  EXPECT_EQ(seen[0].name, "device 0");
  EXPECT_EQ(seen[0].usable, TENON_REASON_NO_CODE_FOR_ARCH);
  EXPECT_EQ(seen[0].why, "no code for sm_70: this plugin was built for sm_80 sm_90 compute_90");
  EXPECT_EQ(seen[1].architecture, "sm_90");
  EXPECT_EQ(seen[1].usable, 0);
  EXPECT_EQ(words_of_opening(2), "[cuda] there is no device cuda:2: the driver shows 2");
}

class FailingDevice : public Refusals {
 protected:
  FailingDevice() {
    plugin.open(1, 77, nullptr, 0, &handle);
    device = &plugin::from_handle<Device>(handle);
  }
  ~FailingDevice() override { delete device; }

  tenon_device* handle = nullptr;
  Device* device = nullptr;
};

TEST_F(FailingDevice, FailingAllocationSaysHowMuchThereIs) {
  tenon_memory memory{};
  try {
    device->memory_alloc(4096, 256, TENON_MEMORY_DEVICE, &memory);
    FAIL() << "nothing failed";
  } catch (const plugin::KernelError& error) {
    EXPECT_EQ(error.status(), TENON_ERROR_OUT_OF_MEMORY);
    EXPECT_STREQ(error.what(), "[cuda:1] out of memory: 4096 bytes asked for, 10 of 1000 free");
  }
}

TEST_F(FailingDevice, FailingWorkLosesTheDeviceAndTellsTheHost) {
  tenon_stream* stream = nullptr;
  device->stream_create(0, &stream);
  try {
    plugin::from_handle<Stream>(stream).synchronize(0);
    FAIL() << "nothing failed";
  } catch (const plugin::KernelError& error) {
    EXPECT_EQ(error.status(), TENON_ERROR_DEVICE_LOST);
    EXPECT_STREQ(error.what(), "[cuda:1] stream_synchronize: an illegal access (700)");
  }
  EXPECT_EQ(Lost::cookie, 77U);
  EXPECT_EQ(Lost::code, TENON_ERROR_DEVICE_LOST);
  EXPECT_EQ(Lost::words, "[cuda:1] stream_synchronize: an illegal access (700)");
  delete &plugin::from_handle<Stream>(stream);
}

TEST_F(FailingDevice, FailingModuleNamesArchitectureAndTargets) {
  try {
    device->function("sources", "fill_f32");
    FAIL() << "nothing failed";
  } catch (const plugin::KernelError& error) {
    EXPECT_STREQ(error.what(),
                 "[cuda:1] no code for sm_90 among the kernels of sources: this plugin was built for sm_80 "
                 "sm_90 compute_90");
  }
}

}  // namespace

constexpr std::span<const Image> images = no_code;

}  // namespace tenon::gpu
