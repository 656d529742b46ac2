// What a host can do wrong with handles, places, callers and order: each is refused in words, and reaches no plugin.
#include <locale>
#include <regex>
#include <thread>

#include "validate/fault_fixture.h"

namespace tenon::test {
namespace {

class HostFaults : public Faults {};

TEST_F(HostFaults, NullHandles) {
  const Checked p;
  EXPECT_EQ(words(p.call().stream_synchronize(nullptr, TENON_FOREVER)),
            "stream_synchronize: found no stream (null), expected one that stream_create gave; the host's fault, "
            "plugin.h: a handle is used from the call that gives it to the call that takes it back");
  expect_words(words(p.call().memory_trim(nullptr)), {"memory_trim: found no device (null)", "open gave"});
  expect_words(words(p.call().event_query(nullptr)), {"event_query: found no event (null)"});
  expect_words(words(p.launch(nullptr, {}, {})), {"launch: found no kernel (null), expected one that prepare gave"});
  expect_words(words(p.call().copy_in(p.stream, {0, 0}, "x", 1)),
               {"copy_in of plugin faulty: found no memory (null), expected one that memory_alloc gave"});
}

TEST_F(HostFaults, ForeignHandles) {
  const Checked p;
  int somewhere = 0;
  expect_words(words(p.call().stream_synchronize(reinterpret_cast<tenon_stream*>(&somewhere), 0)),
               {"stream_synchronize: found 0x", ", which is no stream of any plugin"});
  expect_words(words(p.call().copy_out(p.stream, &somewhere, {std::uint64_t{1} << 40, 0}, 4)),
               {"copy_out of plugin faulty: found 0x10000000000, which is no memory of any plugin"});
  expect_words(words(p.call().open(nullptr, 0, 0, nullptr, 0, nullptr)), {"open: found no self (null)"});
}

TEST_F(HostFaults, HandlesOfAnotherKind) {
  const Checked p;
  expect_words(words(p.call().stream_synchronize(reinterpret_cast<tenon_stream*>(p.device), 0)),
               {"stream_synchronize: found device " + number(p.device) + " for a stream"});
  expect_words(words(p.launch(p.device, {}, {})), {"launch: found device " + number(p.device) + " for a kernel"});
}

TEST_F(HostFaults, HandlesThatWereTakenBack) {
  Checked p;
  const tenon_memory memory = p.memory(64);
  const std::string name = "memory " + std::to_string(memory.memory);
  ASSERT_EQ(p.call().memory_free(p.device, memory.memory), TENON_OK);
  expect_words(words(p.call().copy_in(p.stream, {memory.memory, 0}, "x", 1)),
               {"copy_in of plugin faulty: found " + name + ", which memory_free took back, expected one that lives"});
  expect_words(logged([&] { p.call().memory_free(p.device, memory.memory); }),
               {"error: [validate] memory_free of plugin faulty: found " + name + ", which memory_free took back"});

  void* const kernel = p.kernel();
  p.neg().release(kernel);
  expect_words(words(p.launch(kernel, {}, {})), {"launch: found kernel ", ", which release took back"});
  expect_words(logged([&] { p.neg().release(kernel); }), {"[validate] release: found kernel ", "took back"});

  tenon_event* event = nullptr;
  ASSERT_EQ(p.call().event_create(p.device, 0, &event), TENON_OK);
  ASSERT_EQ(p.call().event_destroy(event), TENON_OK);
  expect_words(words(p.call().event_record(event, p.stream)),
               {"event_record: found event ", "event_destroy took back"});

  EXPECT_EQ(p.call().stream_label(p.stream, "epoch 1"), TENON_OK);
  ASSERT_EQ(p.call().stream_destroy(p.stream), TENON_OK);
  expect_words(words(p.call().stream_synchronize(p.stream, 0)), {"found stream ", ", which stream_destroy took back"});
  expect_words(words(p.call().stream_label(p.stream, "epoch 2")),
               {"found stream ", ", which stream_destroy took back"});
  ASSERT_EQ(p.call().close(p.device), TENON_OK);
  expect_words(words(p.call().memory_trim(p.device)), {"found device ", ", which close took back"});
}

TEST_F(HostFaults, PlacesOutOfBounds) {
  const Checked p;
  const tenon_memory a = p.memory(64), b = p.memory(32);
  std::array<std::byte, 128> bytes{};
  const std::string name = "memory " + std::to_string(a.memory), bounds = "plugin.h: a place lies within its memory";
  expect_words(words(p.call().copy_in(p.stream, {a.memory, 8}, bytes.data(), 57)),
               {"copy_in of plugin faulty: to: found bytes 8 to 65 of " + name + ", expected at most its 64", bounds});
  expect_words(words(p.call().copy_out(p.stream, bytes.data(), {a.memory, 65}, 1)),
               {"from: found bytes 65 to 66", bounds});
  expect_words(words(p.call().copy_out(p.stream, bytes.data(), {a.memory, ~std::uint64_t{0}}, 2)),
               {"from: found", bounds});
  expect_words(words(p.call().copy(p.stream, {b.memory, 0}, {a.memory, 0}, 64)), {"to: found bytes 0 to 64", bounds});
  expect_words(words(p.call().fill(p.stream, {b.memory, 32}, bytes.data(), 1, 1)),
               {"to: found bytes 32 to 33", bounds});
  EXPECT_EQ(p.call().copy(p.stream, {b.memory, 0}, {a.memory, 32}, 32), TENON_OK);

  void* const kernel = p.kernel();
  const tenon_memory small = p.memory(15);
  expect_words(words(p.launch(kernel, {a.memory, 0}, {small.memory, 0})),
               {"launch of plugin faulty: faulty.neg.f32: output 0: found bytes 0 to 16 of memory ", "its 15", bounds});
  expect_words(words(p.launch(kernel, {a.memory, 64}, {b.memory, 0})), {"faulty.neg.f32: operand 0: found", bounds});
}

TEST_F(HostFaults, TensorsThatAreNotAligned) {
  const Checked p;
  const tenon_memory a = p.memory(256);
  expect_words(words(p.launch(p.kernel(), {a.memory, 0}, {a.memory, 72})),
               {"faulty.neg.f32: output 0: found offset 72 in memory ", "expected a multiple of 64",
                "plugin.h: a tensor lies where its signature says: alignment_bytes"});
  EXPECT_EQ(p.launch(p.kernel(), {a.memory, 0}, {a.memory, 64}), TENON_OK);
}

TEST_F(HostFaults, MemoryKernelsAndEventsOfAnotherDevice) {
  const Checked p, other;
  const tenon_memory a = p.memory(64), theirs = other.memory(64);
  const std::string rule = "plugin.h: memory, streams and kernels of one call belong to one device";
  expect_words(words(p.call().copy(p.stream, {a.memory, 0}, {theirs.memory, 0}, 16)),
               {"from: found memory ",
                " of device " + number(other.device) + ", expected one of device " + number(p.device), rule});
  expect_words(words(p.launch(other.kernel(), {a.memory, 0}, {a.memory, 0})),
               {"found kernel ", "prepared for device " + number(other.device), rule});
  tenon_event* event = nullptr;
  ASSERT_EQ(other.call().event_create(other.device, 0, &event), TENON_OK);
  expect_words(words(p.call().event_record(event, p.stream)), {"found event ", " of another device", rule});
}

TEST_F(HostFaults, TwoCallersOfAStreamOrADevice) {
  Checked p;
  std::string found;
  behaviour.inside = [&] { std::thread([&] { found = words(p.call().fill(p.stream, {0, 0}, "x", 1, 0)); }).join(); };
  EXPECT_EQ(p.call().stream_synchronize(p.stream, TENON_FOREVER), TENON_OK);
  expect_words(found, {"fill of plugin faulty: found stream " + number(p.stream) +
                           " in use by stream_synchronize on "
                           "another thread, expected nobody",
                       "plugin.h: S: one caller per stream, D: one caller per device"});
  behaviour.inside = nullptr;
  EXPECT_EQ(p.call().stream_destroy(p.stream), TENON_OK);
  behaviour.inside = [&, once = true]() mutable {
    if (std::exchange(once, false)) std::thread([&] { p.call().close(p.device); }).join();
  };
  expect_words(logged([&] { p.call().close(p.device); }),
               {"close of plugin faulty: found device ", " in use by close"});
}

TEST_F(HostFaults, ADeviceThatIsClosedBeforeWhatWasMadeOnIt) {
  Checked p;
  const tenon_memory memory = p.memory(96);
  void* const kernel = p.kernel();
  const std::string log = logged([&] { EXPECT_EQ(p.call().close(p.device), host::status_validation_failed); });
  faulty::blocks.free_all();  // the plugin was not asked for them
  expect_words(log,
               {"error: [validate] close of plugin faulty: found 3 alive, expected nothing: stream " + number(p.stream),
                "; memory " + std::to_string(memory.memory) + " of 96 bytes, asked for by validate+0x",
                "; kernel " + number(kernel) + " of faulty.neg.f32",
                "plugin.h: close: everything made on the device was destroyed before"});
}

TEST_F(HostFaults, EventsThatWereNeverRecorded) {
  const Checked p;
  tenon_event* event = nullptr;
  std::uint64_t ns = 0;
  ASSERT_EQ(p.call().event_create(p.device, 0, &event), TENON_OK);
  const std::string found = "found event " + number(event) + ", which was never recorded";
  expect_words(words(p.call().stream_wait(p.stream, event)), {"stream_wait of plugin faulty: " + found});
  expect_words(words(p.call().event_wait(event, TENON_FOREVER)), {"event_wait of plugin faulty: " + found});
  expect_words(words(p.call().event_query(event)), {"event_query of plugin faulty: " + found});
  expect_words(words(p.call().event_elapsed_ns(event, event, &ns)), {"event_elapsed_ns of plugin faulty: " + found});
  ASSERT_EQ(p.call().event_record(event, p.stream), TENON_OK);
  EXPECT_EQ(p.call().event_wait(event, TENON_FOREVER), TENON_OK);
}

TEST_F(HostFaults, MemoryThatIsFreedWhileWorkUsesIt) {
  const Checked p;
  const tenon_memory a = p.memory(64), b = p.memory(64), c = p.memory(64);
  ASSERT_EQ(p.call().copy(p.stream, {a.memory, 0}, {b.memory, 0}, 64), TENON_OK);
  expect_words(
      logged([&] { p.call().memory_free(p.device, a.memory); }),
      {"memory_free of plugin faulty: found work under way that uses memory " + std::to_string(a.memory) + " (copy)",
       "plugin.h: memory is freed and a kernel released after the last use has completed"});
  tenon_event* event = nullptr;
  ASSERT_EQ(p.call().event_create(p.device, 0, &event), TENON_OK);
  ASSERT_EQ(p.call().event_record(event, p.stream), TENON_OK);
  ASSERT_EQ(p.call().copy_in(p.stream, {c.memory, 0}, "later", 5), TENON_OK);
  ASSERT_EQ(p.call().event_wait(event, TENON_FOREVER), TENON_OK);  // for b, not for c
  EXPECT_EQ(logged([&] { p.call().memory_free(p.device, b.memory); }), "");
  expect_words(logged([&] { p.call().memory_free(p.device, c.memory); }), {"found work under way", "(copy_in)"});
}

TEST_F(HostFaults, WorkUnderWayIsWaitedForOnStreamsThatLive) {
  behaviour.is_asynchronous = true;
  Checked p;
  const tenon_memory a = p.memory(128);
  void* const kernel = p.kernel();
  ASSERT_EQ(p.launch(kernel, {a.memory, 0}, {a.memory, 64}), TENON_OK);
  ASSERT_EQ(p.call().stream_destroy(p.stream), TENON_OK);
  ASSERT_EQ(p.call().stream_create(p.device, 0, &p.stream), TENON_OK);
  ASSERT_EQ(p.launch(kernel, {a.memory, 0}, {a.memory, 64}), TENON_OK);
  int waits = 0;
  behaviour.inside = [&] { ++waits; };
  expect_words(logged([&] { p.neg().release(kernel); }), {"found kernel ", "under way"});
  EXPECT_EQ(waits, 1);
  expect_words(logged([&] { p.call().memory_free(p.device, a.memory); }), {"found work under way"});
  EXPECT_EQ(waits, 2);
}

TEST_F(HostFaults, MemoryThatIsFreedAfterAWaitOfAnotherStreamIsNone) {
  const Checked p;
  tenon_stream* second = nullptr;
  tenon_event* event = nullptr;
  ASSERT_EQ(p.call().stream_create(p.device, 0, &second), TENON_OK);
  ASSERT_EQ(p.call().event_create(p.device, 0, &event), TENON_OK);
  const tenon_memory a = p.memory(64);
  ASSERT_EQ(p.call().copy_in(p.stream, {a.memory, 0}, "a", 1), TENON_OK);
  ASSERT_EQ(p.call().event_record(event, p.stream), TENON_OK);
  ASSERT_EQ(p.call().stream_wait(second, event), TENON_OK);
  ASSERT_EQ(p.call().stream_synchronize(second, TENON_FOREVER), TENON_OK);
  EXPECT_EQ(logged([&] { p.call().memory_free(p.device, a.memory); }), "");
}

TEST_F(HostFaults, AKernelThatIsReleasedOrLaunchedElsewhereWhileItRuns) {
  behaviour.is_asynchronous = true;
  Checked p;
  const tenon_memory a = p.memory(128);
  void* const kernel = p.kernel();
  ASSERT_EQ(p.launch(kernel, {a.memory, 0}, {a.memory, 64}), TENON_OK);
  tenon_stream* const first = p.stream;
  ASSERT_EQ(p.call().stream_create(p.device, 0, &p.stream), TENON_OK);
  expect_words(words(p.launch(kernel, {a.memory, 0}, {a.memory, 64})),
               {"found kernel " + number(kernel) + " under way on another stream", "the trait REENTRANT"});
  expect_words(logged([&] { p.neg().release(kernel); }),
               {"release of plugin faulty: found kernel " + number(kernel) + " of faulty.neg.f32 under way",
                "plugin.h: memory is freed and a kernel released after the last use has completed"});
  void* const next = p.kernel();
  ASSERT_EQ(p.launch(next, {a.memory, 0}, {a.memory, 64}), TENON_OK);
  ASSERT_EQ(p.call().stream_synchronize(p.stream, TENON_FOREVER), TENON_OK);
  EXPECT_EQ(logged([&] { p.neg().release(next); }), "");
  ASSERT_EQ(p.call().stream_synchronize(first, TENON_FOREVER), TENON_OK);
}

TEST_F(HostFaults, AnOutputInTheOperandsPlaceWithoutAGrant) {
  const Checked p;
  const tenon_memory a = p.memory(64);
  expect_words(words(p.launch(p.kernel(), {a.memory, 0}, {a.memory, 0})),
               {"faulty.neg.f32: found output 0 in the place of operand 0",
                "plugin.h: an output has an operand's place only where prepare granted that"});
  EXPECT_EQ(p.launch(p.kernel(true), {a.memory, 0}, {a.memory, 0}), TENON_OK);
}

TEST_F(HostFaults, MemoryThatNoMachineHas) {
  const Checked p;
  constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
  for (const std::uint64_t bytes : {most, most - 100, most - 127, most - 128}) {
    tenon_memory memory{};
    EXPECT_EQ(p.call().memory_alloc(p.device, bytes, 64, TENON_MEMORY_DEVICE, &memory), TENON_ERROR_OUT_OF_MEMORY);
    EXPECT_EQ(take_plugin_error(), "no room");
  }
}

TEST_F(HostFaults, MemoryWithoutRoomForGuardsIsNone) {
  const Checked p;
  behaviour.room_bytes = 64;
  tenon_memory memory{};
  EXPECT_EQ(p.call().memory_alloc(p.device, 64, 64, TENON_MEMORY_DEVICE, &memory), TENON_OK);
  EXPECT_EQ(take_plugin_error(), "");  // the plugin's words about the guards
}

struct Grouped : std::numpunct<char> {
  char do_thousands_sep() const override { return ','; }
  std::string do_grouping() const override { return "\3"; }
};

TEST_F(HostFaults, AreToldAlikeInEveryLocale) {
  const Checked p;
  const tenon_memory a = p.memory(4096);
  const std::vector<std::byte> bytes(5000);
  const std::locale before = std::locale::global(std::locale(std::locale::classic(), new Grouped));
  EXPECT_EQ((std::ostringstream() << 5000).str(), "5,000");
  const std::string found = words(p.call().copy_in(p.stream, {a.memory, 0}, bytes.data(), 5000));
  const std::string left = logged([&] { p.call().close(p.device); });
  faulty::blocks.free_all();  // the plugin was not asked for them
  std::locale::global(before);
  expect_words(found, {"found bytes 0 to 5000 of memory ", "expected at most its 4096"});
  EXPECT_TRUE(std::regex_search(left, std::regex(R"(asked for by validate\+0x[0-9a-f]+ < )"))) << left;
}

TEST_F(HostFaults, IncompleteArguments) {
  const Checked p;
  const tenon_memory a = p.memory(64);
  const std::string rule = "plugin.h: what a call is given is complete";
  expect_words(words(p.call().copy_in(p.stream, {a.memory, 0}, nullptr, 1)), {"found no source (null)", rule});
  expect_words(words(p.call().copy_out(p.stream, nullptr, {a.memory, 0}, 1)), {"found no target (null)", rule});
  expect_words(words(p.call().fill(p.stream, {a.memory, 0}, "abc", 3, 64)),
               {"found a pattern of 3 bytes for 64", rule});
  expect_words(words(p.call().memory_alloc(p.device, 64, 64, 1, nullptr)), {"found no place for the memory", rule});
  expect_words(words(p.neg().launch(p.kernel(), nullptr, p.stream)), {"found no arguments (null)", rule});
  tenon_kernel kernel{};
  const faulty::NegSignature signature(false);
  const tenon_capsule stranger = p.neg();
  expect_words(words(stranger.prepare(&stranger, p.device, &signature.signature, &kernel)),
               {"prepare: found a capsule that is none of the host's copies", rule});
}

}  // namespace
}  // namespace tenon::test
