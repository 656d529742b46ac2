// The host's side of plugins/cuda on the fake driver, in this process: threads, failures in the midst of things, and
// what is given back. No kernels: the strict battery fails, which is no hindrance.
#include <gtest/gtest.h>

#include <cstring>
#include <thread>

#include "cublas/handles.h"
#include "driver/driver.h"
#include "host/event.h"
#include "host/plugin.h"
#include "host/stream.h"
#include "ops/native.h"

namespace tenon::gpu {
namespace {

using plugin::KernelError;
using Words = std::vector<std::string>;

constexpr Image no_code[] = {{"sources", nullptr}};

class Host : public ::testing::Test {
 protected:
  Host() {
    gpusim::driver::Settings settings;
    settings.devices = 2;
    settings.memory_bytes = std::size_t{64} << 20;
    fake().configure(settings);
    table.size = sizeof table;
    table.device_lost = [](std::uint64_t, std::int32_t, const char*) { ++lost; };
    plugin::host = &table;
    lost = 0;
  }
  ~Host() override {
    EXPECT_EQ(fake().complaints(), Words());
    EXPECT_EQ(fake().leaks(), Words());
  }
  static gpusim::driver::Driver& fake() { return gpusim::driver::Driver::of(gpusim::driver::Vendor::cuda); }
  /// The n-th call from now on.
  static void fail(const char* function, unsigned n, Status status) { fake().failures().plan(function, n, status); }

  std::unique_ptr<Device> open() {
    tenon_device* device = nullptr;
    plugin.open(0, 1, nullptr, 0, &device);
    return std::unique_ptr<Device>(&plugin::from_handle<Device>(device));
  }
  static std::unique_ptr<Stream> stream_of(Device& device) {
    tenon_stream* stream = nullptr;
    device.stream_create(0, &stream);
    return std::unique_ptr<Stream>(&plugin::from_handle<Stream>(stream));
  }
  static std::unique_ptr<Event> event_of(Device& device) {
    tenon_event* event = nullptr;
    device.event_create(0, &event);
    return std::unique_ptr<Event>(&plugin::from_handle<Event>(event));
  }
  /// Ordinal, reason and words of each.
  Words devices() {
    Words seen;
    plugin.enumerate(
        [](void* to, const tenon_device_info* info) {
          const char* why = info->why_unusable == nullptr ? "well" : info->why_unusable;
          static_cast<Words*>(to)->push_back(plugin::text(info->ordinal, " ", info->usable, " ", why));
        },
        &seen);
    return seen;
  }
  /// Runs it on a thread that has never seen the driver.
  template <class Work>
  static void elsewhere(Work work) {
    std::thread(std::move(work)).join();
  }
  template <class Work>
  static std::int32_t status_of(const Work& work) {
    try {
      work();
    } catch (const KernelError& error) {
      return error.status();
    }
    return TENON_OK;
  }

  static constexpr Status unknown_error = 999;
  static inline int lost = 0;
  tenon_host table{};
  Plugin plugin;
};

/// Memory on a device, as long as this lives.
class Piece {
 public:
  Piece(Device& device, std::uint64_t bytes) : device_(device) {
    device.memory_alloc(bytes, 256, TENON_MEMORY_DEVICE, &memory_);
  }
  ~Piece() { device_.memory_free(memory_.memory); }
  tenon_ref ref() const { return {memory_.memory, 0}; }

 private:
  Device& device_;
  tenon_memory memory_{};
};

// -- threads --------------------------------------------------------------------------------------------------------

TEST_F(Host, StreamsAndEventsEndOnAnyThread) {
  const auto device = open();
  auto stream = stream_of(*device);
  auto event = event_of(*device);
  const Piece piece(*device, 16);
  stream->copy_in(piece.ref(), "0123456789abcdef", 16);
  event->record(plugin::to_handle<tenon_stream>(stream.get()));
  elsewhere([&] { event.reset(); });
  elsewhere([&] { stream.reset(); });
}

TEST_F(Host, ADeviceClosesOnAnyThread) {
  auto device = open();
  elsewhere([&] { device.reset(); });
}

// -- copies ---------------------------------------------------------------------------------------------------------

TEST_F(Host, CopiesOfManyPiecesArriveWhole) {
  const auto device = open();
  const auto stream = stream_of(*device);
  std::vector<std::uint32_t> sent((std::size_t{11} << 18) + 3), back(sent.size());  // eleven MiB and a little
  for (std::size_t i = 0; i < sent.size(); ++i) sent[i] = static_cast<std::uint32_t>(i * 2654435761u);
  const std::vector<std::uint32_t> expected = sent;
  const std::uint64_t bytes = sent.size() * sizeof(std::uint32_t);
  const Piece piece(*device, bytes);
  stream->copy_in(piece.ref(), sent.data(), bytes);
  std::fill(sent.begin(), sent.end(), 0);  // the caller's own again
  stream->copy_out(back.data(), piece.ref(), bytes);
  EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
  EXPECT_TRUE(back == expected);
}

TEST_F(Host, ACopyThatFailsHalfwayWritesNothingAfterwards) {
  constexpr std::uint64_t bytes = std::uint64_t{3} << 20;  // three pieces
  const std::vector<char> sent(bytes, 's'), callers(bytes, 'c');
  for (const char* function : {"cuEventRecord", "cuStreamAddCallback", "cuMemcpyDtoHAsync", "cuMemHostAlloc"}) {
    const auto device = open();
    const auto source = stream_of(*device), stream = stream_of(*device);
    const Piece piece(*device, bytes);
    source->copy_in(piece.ref(), sent.data(), bytes);
    EXPECT_EQ(source->synchronize(TENON_FOREVER), TENON_OK);
    std::vector<char> target(bytes);
    fail(function, 2, out_of_memory);
    EXPECT_EQ(status_of([&] { stream->copy_out(target.data(), piece.ref(), bytes); }), TENON_ERROR_OUT_OF_MEMORY);
    target = callers;
    EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
    EXPECT_TRUE(target == callers) << function;
    stream->copy_out(target.data(), piece.ref(), bytes);
    EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
    EXPECT_TRUE(target == sent) << function;
  }
}

TEST_F(Host, ACopyThatFailsHalfwayLeavesItsPieceToNobody) {
  const auto device = open();
  const auto stream = stream_of(*device);
  constexpr std::uint64_t mib = std::uint64_t{1} << 20;
  const Piece whole(*device, 6 * mib), other(*device, mib);
  std::vector<char> first(6 * mib, 'a'), later(mib, 'b'), back(mib);
  fail("cuEventRecord", 5, out_of_memory);  // of the fifth piece, in the memory of the first
  EXPECT_EQ(status_of([&] { stream->copy_in(whole.ref(), first.data(), first.size()); }), TENON_ERROR_OUT_OF_MEMORY);
  for (int i = 0; i < 4; ++i) stream->copy_in(other.ref(), later.data(), later.size());
  stream->copy_out(back.data(), {whole.ref().memory, 4 * mib}, mib);
  EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
  EXPECT_TRUE(back == std::vector<char>(mib, 'a')) << "the piece was filled anew before its copy was done";
}

TEST_F(Host, WhatIsQueuedHasEndedWhenAWaitTellsAnError) {
  for (const char* function : {"cuStreamSynchronize", "cuStreamQuery", "cuEventSynchronize", "cuEventQuery"}) {
    const auto device = open();
    const auto stream = stream_of(*device);
    const auto event = event_of(*device);
    const Piece piece(*device, 16);
    stream->copy_in(piece.ref(), "0123456789abcdef", 16);
    char target[16] = {};
    stream->copy_out(target, piece.ref(), 16);
    event->record(plugin::to_handle<tenon_stream>(stream.get()));
    fail(function, 1, unknown_error);
    const bool of_event = std::strstr(function, "Event") != nullptr,
               limited = std::strstr(function, "Query") != nullptr;
    const std::uint64_t limit = limited ? 1'000'000'000 : TENON_FOREVER;
    EXPECT_EQ(status_of([&] { of_event ? event->wait(limit) : stream->synchronize(limit); }), TENON_ERROR) << function;
    std::memcpy(target, "the caller's own", 16);
    EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
    EXPECT_EQ(std::memcmp(target, "the caller's own", 16), 0) << function;
  }
}

TEST_F(Host, AWaitNeedsNoContextThatIsThereAlready) {
  const auto device = open();
  const auto stream = stream_of(*device);
  const auto event = event_of(*device);
  event->record(plugin::to_handle<tenon_stream>(stream.get()));
  fail("cuCtxSetCurrent", 1, unknown_error);
  EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
  fail("cuCtxSetCurrent", 1, unknown_error);
  EXPECT_EQ(event->wait(TENON_FOREVER), TENON_OK);
}

TEST_F(Host, FillsLargerThanAGridAreRefused) {
  const auto device = open();
  const auto stream = stream_of(*device);
  EXPECT_EQ(status_of([&] { stream->fill({256, 0}, "x", 1, std::uint64_t{1} << 48); }), TENON_ERROR_INVALID_ARGUMENT);
}

// -- opening --------------------------------------------------------------------------------------------------------

TEST_F(Host, ADeviceWithoutMemoryForTheBatteryIsOutOfMemory) {
  fail("cuMemAllocAsync", 1, out_of_memory);
  EXPECT_EQ(status_of([&] { open(); }), TENON_ERROR_OUT_OF_MEMORY);
}

TEST_F(Host, ADeviceThatTheBatteryLosesIsLost) {
  fail("cuMemcpyHtoDAsync", 1, 700);
  EXPECT_EQ(status_of([&] { open(); }), TENON_ERROR_DEVICE_LOST);
  EXPECT_GE(lost, 1);
}

TEST_F(Host, ADeviceThatCannotBeAskedHidesNoOther) {
  fail("cuDeviceGet", 1, unknown_error);
  EXPECT_EQ(devices(), (Words{"0 102 [cuda:0] device_get: unknown error (999)", "1 0 well"}));
}

TEST_F(Host, ADriverThatDoesNotTellItsVersionIsNotUsed) {
  fail("cuDriverGetVersion", 1, unknown_error);
  EXPECT_EQ(devices(), (Words{"0 102 libcuda.so.1 finds no device that it can use: unknown error (999)"}));
  EXPECT_EQ(devices(), (Words{"0 0 well", "1 0 well"})) << "it is looked for again";
}

TEST_F(Host, TwoSessionsHaveOneDeviceEach) {
  const auto one = open();
  auto other = open();
  const auto stream = stream_of(*one);
  const Piece piece(*one, 8);
  other.reset();
  char back[8] = {};
  stream->copy_in(piece.ref(), "eight by", 8);
  stream->copy_out(back, piece.ref(), 8);
  EXPECT_EQ(stream->synchronize(TENON_FOREVER), TENON_OK);
  EXPECT_EQ(std::memcmp(back, "eight by", 8), 0);
}

// -- handles of cuBLAS ----------------------------------------------------------------------------------------------

TEST_F(Host, StreamsThatComeLaterHaveAHandleToo) {
  const auto device = open();
  const auto early = stream_of(*device);
  EXPECT_EQ(early->attachment(), nullptr) << "nobody asked for cuBLAS yet";
  EXPECT_EQ(cublas::Handles::of(*device).trouble(), "");
  auto late = stream_of(*device);
  EXPECT_NE(early->attachment(), nullptr);
  EXPECT_NE(late->attachment(), nullptr);
  EXPECT_NE(early->attachment(), late->attachment());
  elsewhere([&] { late.reset(); });
}

TEST_F(Host, AStreamWhoseHandleCannotBeHadIsNoStream) {
  const auto device = open();
  EXPECT_EQ(cublas::Handles::of(*device).trouble(), "");
  constexpr Status allocation_failed = 3;
  fail("cublasCreate", 1, allocation_failed);
  EXPECT_EQ(status_of([&] { stream_of(*device); }), TENON_ERROR_OUT_OF_MEMORY);
  EXPECT_NE(stream_of(*device)->attachment(), nullptr);
}

/// A rule of which only what it declines matters.
struct Picky {
  using dtypes = float(float);
  static void plan(Plan&) {}
  static bool supports(const SignatureView& signature, plugin::Reason& why) {
    return signature.training() ? why.decline("it never learns") : true;
  }
};

TEST_F(Host, ADeviceWhoseBatteryFailsDeclinesStrictWorkAndNothingElse) {
  const auto device = open();
  tenon_node node{};
  const tenon_node* const nodes[] = {&node};
  tenon_signature signature{};
  signature.node_count = 1, signature.nodes = nodes;
  const auto declined = [&](std::uint32_t flags, tenon_device* asked) -> std::string {
    signature.flags = flags;
    char words[512];
    tenon_text text{words, sizeof words, 0};
    plugin::Reason why(&text);
    return Kernel<Picky>::supports(SignatureView(signature), asked, why) ? "" : std::string(words, text.length);
  };
  auto* const handle = plugin::to_handle<tenon_device>(device.get());
  const std::string words = declined(TENON_SIGNATURE_STRICT, handle);
  EXPECT_TRUE(words.starts_with("this device is not strict: " + device->strict_failure())) << words;
  EXPECT_TRUE(words.ends_with("it serves --dtype float32:fast and --dtype float")) << words;
  EXPECT_EQ(declined(0, handle), "");
  EXPECT_EQ(declined(TENON_SIGNATURE_STRICT, nullptr), "");
  EXPECT_EQ(declined(TENON_SIGNATURE_TRAINING, handle), "it never learns");
}

TEST_F(Host, StreamsHaveAllHandlesOrNone) {
  const auto device = open();
  const auto one = stream_of(*device), other = stream_of(*device);
  fail("cublasCreate", 2, 1);
  EXPECT_EQ(cublas::Handles::of(*device).trouble(), "[cuda:0] cublasCreate: the library was not initialized (1)");
  EXPECT_EQ(one->attachment(), nullptr);
  EXPECT_EQ(other->attachment(), nullptr);
  EXPECT_EQ(stream_of(*device)->attachment(), nullptr);
}

TEST_F(Host, HandlesAreMadeOnceHoweverManyThreadsAsk) {
  const auto device = open();
  const auto stream = stream_of(*device);
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) threads.emplace_back([&] { EXPECT_EQ(cublas::Handles::of(*device).trouble(), ""); });
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(fake().failures().calls().at("cublasCreate"), 1u);
}

}  // namespace

constexpr std::span<const Image> images = no_code;

}  // namespace tenon::gpu
