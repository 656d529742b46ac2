// Bugs planted into the plugin (tests/gpusim/metal/plants.cmake), each of which must be noticed: by the fake's
// complaints, by a test of streams, or by other bytes than the CPU's.
#include <set>

#include "metal.h"

namespace tenon::test {
namespace {

enum class Noticed : std::uint8_t { in_training, in_streams, in_the_certificate };
struct Plant {
  const char* name;
  Noticed where;
  const char* seen_by = "";  // tests of metal_streams, or checks of the certificate
  bool in_private_memory = false;
};
void PrintTo(const Plant& plant, std::ostream* out) { *out << plant.name; }

class Plants : public OnFakeMetal, public testing::WithParamInterface<Plant> {
 protected:
  /// Answers whether everything is as it would be without the bug.
  bool is_well(const Plant& plant) {
    place.set("TENON_GPUSIM_PLANT", plant.name);
    place.set("TENON_GPUSIM_UNIFIED", plant.in_private_memory ? "0" : "1");
    switch (plant.where) {
      case Noticed::in_training:
        return place.tenon(train({"--device", "cpu"}, "cpu")).status == 0 &&
               place.tenon(train(on_metal({}, "metal_planted"), "metal")).status == 0 &&
               read_file(place / "cpu") == read_file(place / "metal");
      case Noticed::in_streams:
        place.set("TENON_TEST_METAL_PLUGIN", METAL_PLUGINS "/metal_planted/tenon_metal_planted.so");
        return place.shell("timeout 60 '" METAL_STREAMS "' --gtest_filter=" + std::string(plant.seen_by)).status == 0;
      case Noticed::in_the_certificate:
        return place.tenon({"check", manifest("metal_planted"), "--only", plant.seen_by}).status == 0;
    }
    return false;
  }
  Words train(const Words& device, const std::string& file) const {
    return Words{"train", "mlp", "--data", digits, "--steps", "3", "--dtype", "float32", "--save", place / file} +
           device;
  }
};

constexpr Plant plants[] = {
    {"no_end_of_encoding", Noticed::in_training},
    {"no_offset", Noticed::in_training},
    {"arrays_swapped", Noticed::in_training},
    {"constants_one_further", Noticed::in_training},
    {"no_commit", Noticed::in_training},
    {"committed_twice", Noticed::in_training},
    {"no_signal", Noticed::in_training},
    {"waits_for_itself", Noticed::in_training},
    {"large_threadgroups", Noticed::in_training},
    {"buffer_leaks", Noticed::in_training},
    {"buffer_released_twice", Noticed::in_training},
    {"pipeline_leaks", Noticed::in_training},
    {"no_wait", Noticed::in_training},
    {"nothing_read_back", Noticed::in_training},
    {"touched_while_noted", Noticed::in_training},
    {"private_staging", Noticed::in_training, "", true},
    {"other_stream_not_waited_for", Noticed::in_streams, "Streams.AreOrderedByEvents"},
    {"failure_not_signalled", Noticed::in_streams, "Failing.WorkIsToldOnceByTheNextSynchronise"},
    {"failure_forgotten", Noticed::in_streams, "Failing.WorkIsToldByItsEvent"},
    {"staging_shared", Noticed::in_streams, "Streams.MoreCopiesThanTheRingHoldsAreAllDone"},
    {"touched_while_busy", Noticed::in_streams, "Streams.CopiesComeAfterTheWorkBeforeThem"},
    {"ring_overrun", Noticed::in_streams, "Streams.MoreCopiesThanTheRingHoldsAreAllDone"},
    {"odd_bytes_copied", Noticed::in_the_certificate, "memory/"},
};

TEST_P(Plants, IsNoticed) { EXPECT_FALSE(is_well(GetParam())); }
INSTANTIATE_TEST_SUITE_P(Bug, Plants, testing::ValuesIn(plants),
                         [](const auto& of) { return std::string(of.param.name); });

TEST_F(Plants, NothingIsNoticedWithoutOne) {
  std::set<std::pair<std::string, bool>> looked;
  for (Plant way : plants) {
    way.name = "none";
    if (looked.emplace(way.seen_by, way.in_private_memory).second) {
      EXPECT_TRUE(is_well(way)) << way.seen_by;
    }
  }
  EXPECT_GE(looked.size(), 7u);
}

}  // namespace
}  // namespace tenon::test
