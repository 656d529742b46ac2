// vendor.h: what differs between the drivers: names of libraries, numbers of attributes, versions, words. Each plugin
// has one vendor.cpp. Constant data and pure functions; any thread.
#pragma once
#include <span>
#include <string_view>

#include "driver.h"

namespace tenon::gpu {

struct Vendor {
  const char* driver;                        // "NVIDIA driver", as in "install the ..."
  std::span<const char* const> libraries;    // to try in this order
  const char* error_text;                    // name of the function
  int multiprocessors, integrated, pools;    // numbers of attributes
  int minimum_version;                       // of the driver, in its own counting
  std::string (*version_text)(int version);  // "13.0"
  std::string (*words)(const Driver& driver, Status status);
  std::string (*architecture)(const Driver& driver, int device);  // "sm_90"
  /// Is there code for the architecture among the targets that this plugin was built for?
  bool (*has_code)(std::string_view architecture, std::string_view targets);
};

extern const Vendor vendor;

}  // namespace tenon::gpu
