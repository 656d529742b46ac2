// What a plugin can do wrong: each is caught, and named as the plugin's.
#include <atomic>
#include <thread>

#include "validate/fault_fixture.h"

namespace tenon::test {
namespace {

class PluginFaults : public Faults {};

TEST_F(PluginFaults, HandlesThatAreNotGiven) {
  Checked p;
  tenon_stream* stream = nullptr;
  tenon_event* event = nullptr;
  tenon_memory memory{};
  behaviour.gives_nothing = true;
  EXPECT_EQ(
      words(p.call().stream_create(p.device, 0, &stream)),
      "stream_create of plugin faulty: found no stream (null), expected one; the plugin's fault, plugin.h: a call "
      "that answers TENON_OK has filled its outputs");
  expect_words(words(p.call().event_create(p.device, 0, &event)), {"event_create of plugin faulty: found no event"});
  expect_words(words(p.call().memory_alloc(p.device, 8, 64, 1, &memory)), {"found memory without a handle (0)"});
  tenon_device* device = nullptr;
  expect_words(words(p.call().open(host::validated_self(*p.plugin, nullptr), 0, 0, nullptr, 0, &device)),
               {"open of plugin faulty: found no device (null)"});
}

TEST_F(PluginFaults, MemoryThatIsTooSmallOrAskew) {
  Checked p;
  tenon_memory memory{};
  behaviour.gives_too_little = true;
  expect_words(words(p.call().memory_alloc(p.device, 8, 64, 1, &memory)),
               {"memory_alloc of plugin faulty: found memory of 135 bytes, expected 136; the plugin's fault"});
  behaviour = {};
  behaviour.gives_askew = true;
  expect_words(words(p.call().memory_alloc(p.device, 8, 64, 1, &memory)), {"memory that is not aligned to 64 bytes"});
}

TEST_F(PluginFaults, StatusesThatNobodyKnows) {
  Checked p;
  behaviour.status = 7;
  expect_words(words(p.call().stream_synchronize(p.stream, TENON_FOREVER)),
               {"found the status 7", "the plugin's fault"});
  behaviour.status = TENON_PENDING;  // without a time limit there is no "not yet"
  expect_words(words(p.call().stream_synchronize(p.stream, TENON_FOREVER)), {"found the status 3"});
  EXPECT_EQ(p.call().stream_synchronize(p.stream, 0), TENON_PENDING);
  behaviour.status = TENON_ERROR_DEVICE_LOST;
  EXPECT_EQ(p.call().stream_synchronize(p.stream, TENON_FOREVER), TENON_ERROR_DEVICE_LOST);
}

TEST_F(PluginFaults, AChangedFloatingPointEnvironment) {
  const Checked p;
  const tenon_memory a = p.memory(128);
  void* const kernel = p.kernel();
  behaviour.changes_rounding = true;
  expect_words(words(p.launch(kernel, {a.memory, 0}, {a.memory, 64})),
               {"launch of plugin faulty: found it changed after the call (rounding or flush-to-zero)",
                "plugin.h: a plugin leaves the floating-point environment as it was"});
  EXPECT_EQ(std::fegetround(), FE_TONEAREST);
}

TEST_F(PluginFaults, AChangedEnvironmentMakesNoFaultsOfTheHost) {
  Checked p;
  const tenon_memory a = p.memory(64), b = p.memory(64), c = p.memory(64);
  tenon_event* event = nullptr;
  ASSERT_EQ(p.call().event_create(p.device, 0, &event), TENON_OK);
  const auto use = [&](const tenon_memory& memory) {
    behaviour.changes_rounding = false;
    EXPECT_EQ(p.call().copy_in(p.stream, {memory.memory, 0}, "x", 1), TENON_OK);
    behaviour.changes_rounding = true;
    expect_words(words(p.call().event_record(event, p.stream)), {"event_record", "found it changed"});
  };
  use(a);
  expect_words(words(p.call().stream_synchronize(p.stream, TENON_FOREVER)), {"stream_synchronize", "found it changed"});
  EXPECT_EQ(logged([&] { p.call().memory_free(p.device, a.memory); }), "");
  use(b);
  expect_words(words(p.call().event_wait(event, TENON_FOREVER)), {"event_wait", "found it changed"});
  EXPECT_EQ(logged([&] { p.call().memory_free(p.device, b.memory); }), "");
  use(c);
  expect_words(words(p.call().event_query(event)), {"event_query", "found it changed"});
  EXPECT_EQ(logged([&] { p.call().memory_free(p.device, c.memory); }), "");
}

TEST_F(PluginFaults, WhatIsRefusedForTheEnvironmentIsGivenBack) {
  const Checked p;
  const int before = faulty::alive;
  tenon_device* device = nullptr;
  tenon_stream* stream = nullptr;
  tenon_event* event = nullptr;
  tenon_memory memory{};
  tenon_kernel kernel{};
  const faulty::NegSignature signature(false);
  behaviour.changes_rounding = true;
  expect_words(words(p.call().open(host::validated_self(*p.plugin, nullptr), 0, 0, nullptr, 0, &device)), {"open of"});
  expect_words(words(p.call().stream_create(p.device, 0, &stream)), {"stream_create of"});
  expect_words(words(p.call().event_create(p.device, 0, &event)), {"event_create of"});
  expect_words(words(p.call().memory_alloc(p.device, 8, 64, 1, &memory)), {"memory_alloc of"});
  expect_words(words(p.call().memory_import(p.device, 0, nullptr, 8, &memory)), {"memory_import of"});
  expect_words(words(p.neg().prepare(&p.neg(), p.device, &signature.signature, &kernel)), {"prepare of"});
  EXPECT_EQ(faulty::alive, before);
}

TEST_F(PluginFaults, WhatIsRefusedForItsFormIsGivenBack) {
  const Checked p;
  const int before = faulty::alive;
  tenon_memory memory{};
  tenon_kernel kernel{};
  const faulty::NegSignature signature(true);
  behaviour.gives_too_little = true;
  expect_words(words(p.call().memory_alloc(p.device, 8, 64, 1, &memory)), {"found memory of 135 bytes"});
  expect_words(words(p.call().memory_import(p.device, 0, nullptr, 8, &memory)), {"found memory of 7 bytes"});
  behaviour = {};
  behaviour.gives_askew = true;
  expect_words(words(p.call().memory_alloc(p.device, 8, 64, 1, &memory)), {"not aligned"});
  behaviour = {};
  behaviour.grants_without_list = true;
  expect_words(words(p.neg().prepare(&p.neg(), p.device, &signature.signature, &kernel)), {"without a list"});
  EXPECT_EQ(faulty::alive, before);
}

TEST_F(PluginFaults, GivingBackDoesNotChangeTheWords) {
  const Checked p;
  behaviour.changes_rounding = true;
  behaviour.inside = [] { host::refuse("elsewhere", "", {host::Culprit::host, "none", "other words"}); };
  tenon_device* device = nullptr;
  expect_words(words(p.call().open(host::validated_self(*p.plugin, nullptr), 0, 0, nullptr, 0, &device)),
               {"open of plugin faulty: found it changed after the call"});
}

TEST_F(PluginFaults, TextsLongerThanTheirPlace) {
  const Checked p;
  char place[8];
  tenon_text text{place, sizeof place, 0};
  const faulty::NegSignature signature(false);
  behaviour.talks_too_much = true;
  expect_words(logged([&] { p.neg().supports(&p.neg(), p.device, &signature.signature, &text); }),
               {"[validate] supports of plugin faulty: faulty.neg.f32: found a reason of 9 bytes in a place of 8"});
  EXPECT_EQ(text.length, 0u);
  tenon_event* event = nullptr;
  ASSERT_EQ(p.call().event_create(p.device, 0, &event), TENON_OK);
  expect_words(words(p.call().event_error(event, &text)), {"event_error of plugin faulty: found a text of 9 bytes"});
}

TEST_F(PluginFaults, GrantsWithoutAList) {
  const Checked p;
  tenon_kernel kernel{};
  const faulty::NegSignature signature(true);
  behaviour.grants_without_list = true;
  expect_words(words(p.neg().prepare(&p.neg(), p.device, &signature.signature, &kernel)),
               {"prepare of plugin faulty: faulty.neg.f32: found 1 granted pairs without a list"});
}

TEST_F(PluginFaults, ALaunchThatWritesIntoItsNeighbour) {
  const Checked p;
  const tenon_memory a = p.memory(256);
  behaviour.overruns_bytes = 4;
  expect_words(words(p.launch(p.kernel(), {a.memory, 64}, {a.memory, 0})),
               {"launch of plugin faulty: faulty.neg.f32: output 0: found 4 of the 64 bytes behind its end changed",
                "plugin.h: a capsule writes its outputs and its workspace and nothing else"});
}

TEST_F(PluginFaults, ALaunchThatWritesOutOfItsMemory) {
  for (const bool hidden : {false, true})
    for (const std::int64_t bytes : {8, -8}) {
      behaviour = {};
      behaviour.hides_memory = hidden;
      const Checked p;
      const tenon_memory a = p.memory(16), b = p.memory(16);
      EXPECT_EQ(b.host == nullptr, hidden);
      behaviour.overruns_bytes = bytes;
      ASSERT_EQ(p.launch(p.kernel(), {a.memory, 0}, {b.memory, 0}), TENON_OK);
      expect_words(words(p.call().stream_synchronize(p.stream, TENON_FOREVER)),
                   {"stream_synchronize of plugin faulty: found 8 of the 64 bytes ",
                    bytes > 0 ? "behind the end of memory " : "before the beginning of memory ",
                    std::to_string(b.memory) + " (16 bytes) overwritten",
                    "it was last written by capsule faulty.neg.f32; the plugin's fault"});
      EXPECT_EQ(p.call().stream_synchronize(p.stream, TENON_FOREVER), TENON_OK);  // told once
      ASSERT_EQ(p.launch(p.kernel(), {a.memory, 0}, {b.memory, 0}), TENON_OK);
      expect_words(logged([&] { p.call().memory_free(p.device, b.memory); }),
                   {"memory_free of plugin faulty: found 8 of"});
    }
}

TEST_F(PluginFaults, ALaunchThatWritesIntoTheNeighbourOfWhatItUpdates) {
  const Checked p;
  const tenon_memory a = p.memory(256);
  behaviour.overruns_operand_bytes = 4;
  expect_words(words(p.launch(p.kernel(false, TENON_TENSOR_MUTABLE), {a.memory, 0}, {a.memory, 128})),
               {"launch of plugin faulty: faulty.neg.f32: operand 0: found 4 of the 64 bytes behind its end changed"});
}

TEST_F(PluginFaults, ALaunchThatWritesOutOfTheMemoryOfWhatItUpdates) {
  const Checked p;
  const tenon_memory a = p.memory(16), b = p.memory(16);
  behaviour.overruns_operand_bytes = 8;
  ASSERT_EQ(p.launch(p.kernel(false, TENON_TENSOR_MUTABLE), {a.memory, 0}, {b.memory, 0}), TENON_OK);
  expect_words(words(p.call().stream_synchronize(p.stream, TENON_FOREVER)),
               {"found 8 of the 64 bytes behind the end of memory " + std::to_string(a.memory),
                "it was last written by capsule faulty.neg.f32"});
}

TEST_F(PluginFaults, ThatAreSeveralAreAllTold) {
  const Checked p;
  const tenon_memory a = p.memory(16), b = p.memory(16);
  behaviour.overruns_bytes = 8;
  ASSERT_EQ(p.launch(p.kernel(), {a.memory, 0}, {b.memory, 0}), TENON_OK);
  ASSERT_EQ(p.launch(p.kernel(), {b.memory, 0}, {a.memory, 0}), TENON_OK);
  behaviour.overruns_bytes = -8;
  ASSERT_EQ(p.launch(p.kernel(), {a.memory, 0}, {b.memory, 0}), TENON_OK);
  expect_words(words(p.call().stream_synchronize(p.stream, TENON_FOREVER)),
               {"found 8 of the 64 bytes behind the end of memory " + std::to_string(a.memory),
                "; found 8 of the 64 bytes before the beginning of memory " + std::to_string(b.memory),
                "; found 8 of the 64 bytes behind the end of memory " + std::to_string(b.memory)});
  EXPECT_EQ(p.call().stream_synchronize(p.stream, TENON_FOREVER), TENON_OK);
}

TEST_F(PluginFaults, AreNotMadeOfMemoryThatAnotherThreadFrees) {
  behaviour.hides_memory = true;
  const Checked p;
  tenon_stream* second = nullptr;
  ASSERT_EQ(p.call().stream_create(p.device, 0, &second), TENON_OK);
  const tenon_memory x = p.memory(64);
  void* const kernel = p.kernel();
  std::atomic<bool> done = false;
  std::string found;
  std::thread looks([&] {
    while (!done && found.empty()) found = words(p.call().stream_synchronize(second, TENON_FOREVER));
  });
  for (int i = 0; i < 20'000; ++i) {
    const tenon_memory y = p.memory(64);
    EXPECT_EQ(p.launch(kernel, {x.memory, 0}, {y.memory, 0}), TENON_OK);
    EXPECT_EQ(p.call().memory_free(p.device, y.memory), TENON_OK);
  }
  done = true;
  looks.join();
  EXPECT_EQ(found, "");
}

TEST_F(PluginFaults, OfACorrectPluginAreNone) {
  const std::uint64_t before = validation_faults();
  const std::string log = logged([&] {
    Checked p;
    const tenon_memory a = p.memory(16), b = p.memory(16);
    std::array<float, 4> x{1, -2, 3, 0}, y{};
    void* const kernel = p.kernel();
    ASSERT_EQ(p.call().copy_in(p.stream, {a.memory, 0}, x.data(), 16), TENON_OK);
    ASSERT_EQ(p.launch(kernel, {a.memory, 0}, {b.memory, 0}), TENON_OK);
    ASSERT_EQ(p.call().copy_out(p.stream, y.data(), {b.memory, 0}, 16), TENON_OK);
    ASSERT_EQ(p.call().stream_synchronize(p.stream, TENON_FOREVER), TENON_OK);
    EXPECT_EQ(y, (std::array<float, 4>{-1, 2, -3, -0.0f}));
    p.neg().release(kernel);
    for (const tenon_memory& memory : {a, b}) ASSERT_EQ(p.call().memory_free(p.device, memory.memory), TENON_OK);
    ASSERT_EQ(p.call().stream_destroy(p.stream), TENON_OK);
    ASSERT_EQ(p.call().close(p.device), TENON_OK);
  });
  EXPECT_EQ(log, "");
  EXPECT_EQ(validation_faults(), before);
}

}  // namespace
}  // namespace tenon::test
