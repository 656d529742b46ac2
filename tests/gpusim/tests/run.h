// run.h: kernels of tests/gpusim/kernels on a device of their own.
#pragma once
#include <gtest/gtest.h>

#include <numeric>
#include <set>
#include <string>
#include <vector>

#include "core/device.h"

namespace gpusim {

inline Library& library_at(const char* path) {
  std::string why_not;
  auto library = Library::open(path, why_not);
  if (library == nullptr) throw std::runtime_error(why_not);
  return *library.release();  // for as long as the process
}
inline Library& instrumented() {
  static Library& library = library_at(GPUSIM_MUTANTS);
  return library;
}
inline Library& plain() {
  static Library& library = library_at(GPUSIM_MUTANTS_PLAIN);
  return library;
}

/// Arrays in a device's memory.
class Arrays {
 public:
  explicit Arrays(Device& device) : device_(device) {}
  template <class T>
  T* of(const std::vector<T>& values) {
    T* array = unwritten<T>(values.size());
    device_.memory().write(array, values.data(), values.size() * sizeof(T));
    return array;
  }
  template <class T>
  T* unwritten(std::size_t count) {
    return static_cast<T*>(device_.memory().allocate(count * sizeof(T)));
  }
  template <class T>
  std::vector<T> read(const T* array, std::size_t count) {
    std::vector<T> values(count);
    device_.memory().read(values.data(), array, count * sizeof(T));
    return values;
  }

 private:
  Device& device_;
};

template <class... Arguments>
bool launch(Device& device, const Library& library, const std::string& name, Extent grid, Extent block,
            std::size_t dynamic_shared_bytes, Arguments... arguments) {
  const gpusim_kernel* kernel = library.find(name);
  EXPECT_NE(kernel, nullptr) << name;
  if (kernel == nullptr) return false;
  void* pointers[] = {&arguments...};
  return device.run(library, *kernel, {grid, block, pointers, dynamic_shared_bytes});
}

inline std::set<std::string> faults(Device& device) {
  std::set<std::string> names;
  for (const Report& report : device.reports().all()) names.insert(std::string(name(report.fault)));
  return names;
}

/// A width of warps and an order of threads: what each test is run under.
struct Way {
  unsigned warp_width;
  Schedule schedule;
  std::uint64_t seed;
  DeviceSettings settings() const {
    return {.warp_width = warp_width, .memory_bytes = std::size_t{64} << 20, .schedule = schedule, .seed = seed};
  }
};

inline std::vector<Way> ways() {
  std::vector<Way> all;
  for (const unsigned width : {32u, 64u}) {
    all.push_back({width, Schedule::ascending, 1});
    all.push_back({width, Schedule::descending, 1});
    for (const std::uint64_t seed : {1u, 2u, 3u}) all.push_back({width, Schedule::random, seed});
  }
  return all;
}

inline std::string name_of(const Way& way) {
  const char* order = way.schedule == Schedule::ascending    ? "ascending"
                      : way.schedule == Schedule::descending ? "descending"
                                                             : "random";
  return "width" + std::to_string(way.warp_width) + "_" + order + std::to_string(way.seed);
}

inline void PrintTo(const Way& way, std::ostream* stream) { *stream << name_of(way); }

}  // namespace gpusim
