// compiled_run.h: runs a trace without its program: the compiled backend's inner loop.
#pragma once
#include "draws.h"
#include "trace.h"

namespace tenon {

/// What one run of a compiled trace needs beside its inputs.
struct CompiledRun {
  Trace& trace;
  Executor& executor;
  Draws& draws;
  // Of a step:
  double rate = 0;
  std::int64_t step = 0;

  /// Launches the schedule. Random operations draw what the eager backend would have drawn, operations that nobody
  /// needs and that never run included.
  result<void> run();

 private:
  result<void> launch(std::span<const std::uint32_t> nodes);
  result<void> launch_watched();
  void set_update_scalars();
  void set_keys();
  Error failed(std::size_t node);
};

}  // namespace tenon
