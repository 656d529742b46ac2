#include "tenon/run_observer.h"

#include <algorithm>

namespace tenon {
namespace {

std::string type_text(const TensorType& type) { return std::string(name(type.dtype)) + " " + to_string(type.shape); }

class Describer {
 public:
  explicit Describer(const Kernel& kernel) : kernel_(kernel) {
    const tenon_kernel& figures = kernel.prepared();
    out_.op = name(kernel.request().op);
    out_.capsule = kernel.choice().capsule->name;
    out_.bytes_read = figures.bytes_read;
    out_.bytes_written = figures.bytes_written;
    out_.flops = figures.flops;
  }

  WatchedKernel describe() {
    const Request& request = kernel_.request();
    const OpSpec& row = spec(request.op);
    for (std::size_t i = 0; i < request.operands.size(); ++i)
      out_.operands.push_back(std::string(row.operand(i)) + " " + type_text(request.operands[i]));
    for (const TensorType& type : request.outputs) out_.results.push_back(type_text(type));
    for (const TensorType& type : request.operands) count(type);
    for (const TensorType& type : request.outputs) count(type);
    return std::move(out_);
  }

 private:
  void count(const TensorType& type) {
    out_.tensor_bytes += static_cast<std::uint64_t>(known_elements(type.shape)) * size_bytes(type.dtype);
    std::string dtype(name(type.dtype));
    if (std::ranges::find(out_.dtypes, dtype) == out_.dtypes.end()) out_.dtypes.push_back(std::move(dtype));
  }

  const Kernel& kernel_;
  WatchedKernel out_;
};

}  // namespace

std::string_view meaning(TimeSource source) {
  switch (source) {
    case TimeSource::device_events:
      return "the device's clock, by two events around each launch, which costs some overlap";
    case TimeSource::synchronised:
      return "the host's clock, with a wait after each launch, so that nothing overlaps";
    case TimeSource::host_clock:
      break;
  }
  return "the host's clock around each launch";
}

WatchedKernel watched_kernel(const Kernel& kernel) { return Describer(kernel).describe(); }

}  // namespace tenon
