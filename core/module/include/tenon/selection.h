// selection.h: the capsules that serve a device, known where no such device is: what answers are made of.
//
// Where the device can be opened, it is. Where its plugin can be read, its capsules are asked for any device of their
// memory domain, or, if it refuses to initialise, are judged by what they declare. Where there is no plugin to read,
// there is nothing to choose from. A Selection shares ownership of its plugins. One thread at a time.
#pragma once
#include <iosfwd>
#include <optional>
#include <string>

#include "tenon/options.h"
#include "tenon/registry.h"

namespace tenon {

struct Selection {
  std::string device;                // "cuda:0"
  DType real = DType::f32;           // how it stores the dtype's numbers
  std::optional<Registry> registry;  // nothing: no plugin could be read
  std::optional<Error> unopened;     // why no device is open
  bool asked = true;                 // false: the plugin was not initialised, so its capsules were not asked
};

/// As open_runtime, but a device that cannot be opened, a plugin that refuses to initialise and a plugin that is not
/// there are answers. What the request itself gets wrong is refused as there. No plugin is loaded that the helper
/// program has not survived. Starts no report.
TENON_API result<Selection> select_for(const Options& config, std::ostream& diagnostics);

}  // namespace tenon
