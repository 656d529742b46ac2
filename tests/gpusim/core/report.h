// report.h: what a kernel did that it must not do.
//
// Reports belong to a Device. The same fault at the same place of the code counts once, with a number of times.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace gpusim {

enum class Fault {
  data_race,
  out_of_bounds,
  use_after_free,
  use_before_allocation,
  misaligned,
  uninitialised,
  divergent_barrier,
  stuck,             // no thread of the block can go on
  not_in_own_mask,   // a lane calls a collective whose mask leaves it out
  inactive_lane,     // a value is taken from a lane that does not take part
  bad_width,         // of a shuffle: no power of two, or wider than a warp
  foreign_local,     // a local variable of another thread
  constant_written,  // a write to what is constant on a device
};

/// The words that begin a report's text.
std::string_view name(Fault fault);

struct Extent {
  unsigned x = 1, y = 1, z = 1;
  std::uint64_t count() const { return std::uint64_t{x} * y * z; }
  /// x counts fastest.
  Extent nth(std::uint64_t n) const { return {unsigned(n % x), unsigned(n / x % y), unsigned(n / x / y)}; }
};

struct Report {
  Fault fault;
  std::string kernel;
  std::string text;      // what, and on what
  Extent block, thread;  // of the first time
  const void* code;      // the place in the kernel, or null
  std::uint64_t times = 1;

  /// Everything in one line, with file and line where addr2line is there to tell them.
  std::string line() const;
};

class Reports {
 public:
  void add(Report report);
  const std::vector<Report>& all() const { return reports_; }
  bool empty() const { return reports_.empty(); }
  std::uint64_t count() const;
  std::uint64_t count(Fault fault) const;
  void clear() { reports_.clear(); }
  /// All lines, for a person.
  std::string text() const;

 private:
  std::vector<Report> reports_;
};

}  // namespace gpusim
