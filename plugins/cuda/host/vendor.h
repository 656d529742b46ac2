// vendor.h: what differs between the drivers: names of libraries, numbers of attributes, versions, words. Each plugin
// has one vendor.cpp. Constant data and pure functions; any thread.
#pragma once
#include <algorithm>
#include <span>
#include <string_view>

#include "driver.h"

namespace tenon::gpu {

struct Vendor {
  const char* driver;                      // as in "update the NVIDIA driver"
  std::span<const char* const> libraries;  // to try in this order
  const char* error_text;                  // name of the function
  const char* properties;                  // name of the function; null if it is not needed
  int multiprocessors, integrated, pools;  // numbers of attributes
  std::uint64_t max_blocks;                // of block_threads threads, in one launch
  int minimum_version;                     // of the driver, in its own counting
  std::string (*version_text)(int version);
  std::string (*words)(const Driver& driver, Status status);
  std::string (*architecture)(const Driver& driver, int device);  // "sm_90", "gfx90a"
  /// Is there code for the architecture among the targets that this plugin was built for?
  bool (*has_code)(std::string_view architecture, std::string_view targets);
};

/// The targets of a build, which stand in one text with spaces between them.
template <class Visit>
bool any_target(std::string_view targets, const Visit& serves) {
  while (!targets.empty()) {
    const std::size_t end = std::min(targets.find(' '), targets.size());
    if (serves(targets.substr(0, end))) return true;
    targets.remove_prefix(std::min(end + 1, targets.size()));
  }
  return false;
}

extern const Vendor vendor;

}  // namespace tenon::gpu
