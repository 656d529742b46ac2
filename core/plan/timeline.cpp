#include "tenon/timeline.h"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>

#include "json_text.h"

namespace tenon {
namespace {

// Events of one track must not overlap, and copies are timed by the host where launches are by the device.
constexpr int host_track = 1, stream_track = 2, copy_track = 3;
constexpr std::array<std::string_view, 3> copy_names{"copy to the device", "copy from the device",
                                                     "copy on the device"};

/// Microseconds, the format's unit, without loss.
std::string microseconds(std::uint64_t ns) { return fmt::format("{}.{:03}", ns / 1000, ns % 1000); }

JsonFields fields(std::string_view phase, std::string_view name, int track) {
  return {{"ph", json_string(phase)},
          {"name", json_string(name)},
          {"pid", std::to_string(::getpid())},
          {"tid", std::to_string(track)}};
}

std::string complete_event(std::string_view name, std::string_view category, int track, TimeSpan when,
                           const JsonFields& arguments) {
  JsonFields out = fields("X", name, track);
  out.insert(out.end(), {{"cat", json_string(category)},
                         {"ts", microseconds(when.begin_ns)},
                         {"dur", microseconds(when.duration_ns())},
                         {"args", json_object(arguments)}});
  return json_object(out);
}

std::string metadata(std::string_view what, int track, const std::string& name) {
  JsonFields out = fields("M", what, track);
  out.emplace_back("args", json_object({{"name", json_string(name)}}));
  return json_object(out);
}

}  // namespace

bool Timeline::has_room() {
  if (events_.size() < most_events_) return true;
  ++dropped_;
  return false;
}

/// Parts of a run end, and memory is freed, in destructors: what there is no memory for is dropped, too.
void Timeline::keep(const Event& event) noexcept {
  try {
    events_.push_back(event);
  } catch (const std::bad_alloc&) {
    ++dropped_;
  }
}

void Timeline::launched(std::uint32_t kernel, TimeSpan when) {
  if (has_room()) keep({when, 0, {}, kernel, Kind::launch});
}

void Timeline::copied(CopyKind kind, std::uint64_t bytes, TimeSpan when) {
  if (has_room()) keep({when, bytes, {}, static_cast<std::uint32_t>(kind), Kind::copy});
}

void Timeline::memory(std::uint64_t bytes_in_use, std::uint64_t at_ns) {
  if (has_room()) keep({{at_ns, at_ns}, bytes_in_use, {}, 0, Kind::memory});
}

std::uint64_t Timeline::count_part(std::string_view name) noexcept {
  try {
    return ++parts_[name];
  } catch (const std::bad_alloc&) {
    return 0;
  }
}

/// Told of at its end: one that holds events which were kept is kept, too.
void Timeline::passed(std::string_view name, TimeSpan when, std::size_t) {
  const std::uint64_t number = count_part(name);
  const bool encloses = !events_.empty() && when.begin_ns <= events_.back().when.begin_ns;
  if (encloses || has_room()) keep({when, number, name, 0, Kind::part});
}

std::string Timeline::launch_text(const Event& event, const WatchedKernel& kernel) const {
  JsonFields arguments{{"op", json_string(kernel.op)},
                       {"operands", json_strings(kernel.operands)},
                       {"results", json_strings(kernel.results)},
                       {"dtypes", json_strings(kernel.dtypes)},
                       {"bytes", std::to_string(kernel.tensor_bytes)}};
  if (kernel.flops > 0) arguments.emplace_back("flops", std::to_string(kernel.flops));
  return complete_event(kernel.capsule, "capsule", stream_track, event.when, arguments);
}

std::string Timeline::copy_text(const Event& event) const {
  return complete_event(copy_names[event.which], "copy", copy_track, event.when,
                        {{"bytes", std::to_string(event.value)}});
}

std::string Timeline::part_text(const Event& event) const {
  return complete_event(event.name, "run", host_track, event.when, {{"number", std::to_string(event.value)}});
}

std::string Timeline::memory_text(const Event& event) const {
  JsonFields out = fields("C", "device memory", host_track);
  out.emplace_back("ts", microseconds(event.when.begin_ns));
  out.emplace_back("args", json_object({{"bytes", std::to_string(event.value)}}));
  return json_object(out);
}

std::string Timeline::text(const Event& event, const RunFacts& facts) const {
  switch (event.kind) {
    case Kind::launch:
      return launch_text(event, facts.kernels[event.which]);
    case Kind::copy:
      return copy_text(event);
    case Kind::memory:
      return memory_text(event);
    case Kind::part:
      break;
  }
  return part_text(event);
}

std::string Timeline::head(const RunFacts& facts) const {
  const std::string about = json_object({{"device", json_string(facts_.device)},
                                         {"device_name", json_string(facts_.device_name)},
                                         {"backend", json_string(facts_.backend)},
                                         {"dtype", json_string(facts_.dtype)},
                                         {"plugin", json_string(facts_.plugin)},
                                         {"plugin_version", json_string(facts_.plugin_version)},
                                         {"times", json_string(meaning(facts.times))},
                                         {"complete", facts.complete ? "true" : "false"},
                                         {"dropped_events", std::to_string(dropped_)}});
  return "{\"displayTimeUnit\":\"ns\",\"otherData\":" + about + ",\"traceEvents\":[\n" +
         metadata("process_name", host_track, "tenon " + facts_.device) + ",\n" +
         metadata("thread_name", host_track, "host") + ",\n" +
         metadata("thread_name", stream_track, facts_.device + " stream") + ",\n" +
         metadata("thread_name", copy_track, facts_.device + " copies");
}

result<void> Timeline::write(const RunFacts& facts, const std::function<result<void>(std::string_view)>& sink) const {
  constexpr std::size_t part_bytes = std::size_t{1} << 20;
  std::vector<Event> sorted = events_;
  const auto earlier_or_longer = [](const Event& a, const Event& b) {
    return a.when.begin_ns != b.when.begin_ns ? a.when.begin_ns < b.when.begin_ns : a.when.end_ns > b.when.end_ns;
  };
  std::ranges::stable_sort(sorted, earlier_or_longer);
  std::string part = head(facts);
  for (const Event& event : sorted) {
    part += ",\n" + text(event, facts);
    if (part.size() < part_bytes) continue;
    TENON_CHECK(sink(part));
    part.clear();
  }
  return sink(part + "\n]}\n");
}

}  // namespace tenon
