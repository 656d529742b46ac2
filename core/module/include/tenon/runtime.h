// runtime.h: Options brought to life: the device is open, and its capsules can be chosen from.
//
// A DeviceRuntime shares ownership of its device and plugin and owns its watch; sessions made from it must not outlive
// it. One thread at a time. Opening one is where everything is refused that this build or machine cannot execute, each
// with its reason; there is no other device to fall back to.
#pragma once
#include <iosfwd>
#include <memory>

#include "tenon/catalogue.h"
#include "tenon/options.h"
#include "tenon/registry.h"
#include "tenon/run_watch.h"
#include "tenon/session.h"

namespace tenon {

struct DeviceRuntime {
  Registry registry;
  DType real = DType::f32;          // how the device stores the dtype's numbers
  std::unique_ptr<RunWatch> watch;  // null unless something is to be reported
  std::uint64_t seed = 0;
  Backend backend = Backend::eager;

  /// Session options with this runtime's dtype, seed, backend and watch; batches are the caller's to announce.
  TENON_API SessionOptions session_options(GradientMode mode) const;
  /// The run has succeeded: prints and writes what was asked for. FILE_WRITE_FAILED if the trace cannot be written.
  TENON_API result<void> finish();
};

/// Finds, loads and opens what `config` asks for; a file of --plugin that cannot be used is an error whatever the
/// device. Of those files, the ones that bring kernels and no device are loaded too: their capsules stand after the
/// device's own. Sets how many threads the process's parallel loops have. Writes the one line `auto: ...` to
/// `diagnostics` if the device was left to us, and the header of --show-backend to standard error. FILE_WRITE_FAILED
/// if the trace's file could not be written.
TENON_API result<DeviceRuntime> open_runtime(const Options& config, std::ostream& diagnostics);
TENON_API result<DeviceRuntime> open_runtime(const Options& config);

/// The device word that `config` asks for, with `auto` resolved.
TENON_API result<DeviceName> requested_device(const Options& config, const Catalogue& catalogue);

/// "auto: cpu:0 taken; passed over: vulkan (not probed)", from manifests and cached probes alone.
TENON_API std::string auto_line(std::string_view taken, const Candidate& taken_from, const Catalogue& catalogue);

}  // namespace tenon
