// ledger.h: what the fake device counts for tests, and from which allocation on it refuses, if a test wants that.
//
// A test reaches it through LoadedPlugin::self(), which points to an Instance: nothing in it needs the plugin's code.
// Counts go up for all devices of the plugin. Any thread.
#pragma once
#include <atomic>

#include "settings.h"

namespace tenon::late {

struct Ledger {
  std::atomic<std::uint64_t> bytes_in{0}, bytes_out{0};  // copied between host and device
  std::atomic<std::uint64_t> copies_out{0};
  std::atomic<std::int64_t> allocations_left{-1};  // before all are refused; below zero: no limit

  bool refuses_allocation() {
    if (allocations_left <= 0) return allocations_left == 0;
    --allocations_left;
    return false;
  }
};

/// One initialised plugin: what `self` points to.
struct Instance {
  Settings settings;
  Ledger ledger;
};

/// What initialize made; one of defaults before it.
Instance& instance_of(void* self);

}  // namespace tenon::late
