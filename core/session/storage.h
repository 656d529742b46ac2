// storage.h: a session's parameters and inputs in device memory, and the conversions on the way there.
#pragma once
#include "tenon/device.h"
#include "tenon/program.h"
#include "tenon/session.h"
#include "trace.h"

namespace tenon {

std::uint64_t bytes_of(const Shape& shape, DType dtype);

/// The values as `dtype`: as they are where they have it, else rounded once, or widened, into `staging`.
std::span<const std::byte> stored(RealSpan values, DType dtype, std::vector<std::byte>& staging);
double load_real(std::span<const std::byte> bytes, DType dtype);
std::vector<double> load_reals(std::span<const std::byte> bytes, DType dtype);

/// One buffer for each tensor of a list.
result<std::vector<Buffer>> allocate_all(const std::shared_ptr<Device>& device, std::span<const std::uint64_t> bytes);

/// Every byte zero.
result<void> fill_zero(Device& device, const Buffer& buffer);
/// Every element `value`, rounded to `dtype`.
result<void> fill_with(Device& device, const Buffer& buffer, double value, DType dtype);

/// Device memory for one batch of inputs; each input's grows with the largest seen.
class InputStore {
 public:
  InputStore(std::shared_ptr<Device> device, const Program& program, DType real);

  /// Sizes and natural numbers; nothing is changed.
  result<void> check(const Batch& given, const Trace& trace) const;
  /// Buffers that are too small give way to larger ones; `generation` rises with each that goes, whatever comes then.
  result<void> reserve(const Trace& trace, std::uint64_t& generation);
  /// Only what was checked and has room.
  result<void> upload(const Batch& given, const Trace& trace);
  std::span<const Buffer> buffers() const { return buffers_; }

 private:
  std::uint64_t bytes(const Trace& trace, std::size_t input) const;

  std::shared_ptr<Device> device_;
  std::vector<InputSpec> inputs_;  // reals, then naturals
  std::size_t real_count_;
  DType real_;
  std::vector<Buffer> buffers_;
  std::vector<std::byte> staging_;
};

}  // namespace tenon
