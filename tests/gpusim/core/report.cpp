#include "report.h"

#include <dlfcn.h>

#include <array>
#include <cstdio>

namespace gpusim {
namespace {

std::string in_words(const Extent& extent) {
  return "(" + std::to_string(extent.x) + "," + std::to_string(extent.y) + "," + std::to_string(extent.z) + ")";
}

std::string first_line_of(const std::string& command) {
  std::array<char, 512> line{};
  std::FILE* pipe = popen(command.c_str(), "r");
  if (pipe == nullptr) return {};
  const bool some = std::fgets(line.data(), line.size(), pipe) != nullptr;
  pclose(pipe);
  std::string text = some ? line.data() : "";
  if (!text.empty() && text.back() == '\n') text.pop_back();
  return text;
}

// Only asked when a report is shown to somebody, which a passing test does not do.
std::string place_of(const void* code) {
  Dl_info object{};
  if (code == nullptr || dladdr(code, &object) == 0) return {};
  const auto offset = static_cast<const char*>(code) - static_cast<const char*>(object.dli_fbase) - 1;
  std::array<char, 32> number{};
  std::snprintf(number.data(), number.size(), "%#tx", offset);
  std::string line =
      first_line_of(std::string("addr2line -s -e '") + object.dli_fname + "' " + number.data() + " 2>&1");
  if (line.empty() || line.find("??") != std::string::npos || line.find("not found") != std::string::npos) {
    line = std::string(object.dli_fname) + " + " + number.data();
  }
  return line;
}

}  // namespace

std::string_view name(Fault fault) {
  switch (fault) {
    case Fault::data_race:
      return "data race";
    case Fault::out_of_bounds:
      return "out of bounds";
    case Fault::use_after_free:
      return "use after free";
    case Fault::use_before_allocation:
      return "use before allocation";
    case Fault::misaligned:
      return "misaligned";
    case Fault::uninitialised:
      return "uninitialised read";
    case Fault::divergent_barrier:
      return "barrier in divergent code";
    case Fault::stuck:
      return "stuck";
    case Fault::not_in_own_mask:
      return "lane not in its own mask";
    case Fault::inactive_lane:
      return "value of an inactive lane";
    case Fault::bad_width:
      return "width that no shuffle has";
    case Fault::foreign_local:
      return "local variable of another thread";
    case Fault::constant_written:
      return "write to a constant";
  }
  return "?";
}

std::string Report::line() const {
  std::string line(name(fault));
  line += ": " + text + " [kernel " + kernel + ", block " + in_words(block) + ", thread " + in_words(thread);
  if (const std::string place = place_of(code); !place.empty()) line += ", " + place;
  if (times > 1) line += ", " + std::to_string(times) + " times";
  return line + "]";
}

void Reports::add(Report report) {
  for (Report& known : reports_) {
    if (known.fault == report.fault && known.code == report.code && known.kernel == report.kernel) {
      known.times += report.times;
      return;
    }
  }
  reports_.push_back(std::move(report));
}

std::uint64_t Reports::count() const {
  std::uint64_t times = 0;
  for (const Report& report : reports_) times += report.times;
  return times;
}

std::uint64_t Reports::count(Fault fault) const {
  std::uint64_t times = 0;
  for (const Report& report : reports_) {
    if (report.fault == fault) times += report.times;
  }
  return times;
}

std::string Reports::text() const {
  std::string text;
  for (const Report& report : reports_) text += report.line() + "\n";
  return text;
}

}  // namespace gpusim
