#include "storage.h"

#include <algorithm>
#include <cstring>

namespace tenon {
namespace {

std::string found_expected(const InputSpec& input, std::uint64_t found, std::uint64_t expected, std::uint64_t rows) {
  return "[session] input " + input.name + " " + to_string(with_rows(input.shape, rows)) + ": found " +
         std::to_string(found) + " values, expected " + std::to_string(expected);
}

result<void> check_count(const InputSpec& input, std::uint64_t found, std::uint64_t rows) {
  const auto expected = static_cast<std::uint64_t>(known_elements(with_rows(input.shape, rows)));
  if (found == expected) return {};
  return fail(Reason::DATA_MISMATCH, found_expected(input, found, expected, rows));
}

}  // namespace

std::uint64_t bytes_of(const Shape& shape, DType dtype) {
  return static_cast<std::uint64_t>(known_elements(shape)) * size_bytes(dtype);
}

std::span<const std::byte> stored(RealSpan values, DType dtype, std::vector<std::byte>& staging) {
  if (values.dtype() == dtype) return values.bytes();
  staging.resize(values.size() * size_bytes(dtype));
  for (std::size_t i = 0; i < values.size(); ++i) {
    const double wide = load_real(values.bytes().subspan(i * size_bytes(values.dtype())), values.dtype());
    const auto narrow = static_cast<float>(wide);
    std::byte* const to = staging.data() + i * size_bytes(dtype);
    dtype == DType::f64 ? std::memcpy(to, &wide, sizeof wide) : std::memcpy(to, &narrow, sizeof narrow);
  }
  return staging;
}

double load_real(std::span<const std::byte> bytes, DType dtype) {
  double wide = 0;
  float narrow = 0;
  if (dtype == DType::f64) return std::memcpy(&wide, bytes.data(), sizeof wide), wide;
  return std::memcpy(&narrow, bytes.data(), sizeof narrow), double{narrow};
}

std::vector<double> load_reals(std::span<const std::byte> bytes, DType dtype) {
  const std::size_t size = size_bytes(dtype);
  std::vector<double> values(bytes.size() / size);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = load_real(bytes.subspan(i * size, size), dtype);
  return values;
}

result<std::vector<Buffer>> allocate_all(const std::shared_ptr<Device>& device, std::span<const std::uint64_t> bytes) {
  std::vector<Buffer> buffers;
  for (const std::uint64_t size : bytes) {
    TENON_TRY(Buffer buffer, Buffer::allocate(device, size));
    buffers.push_back(std::move(buffer));
  }
  return buffers;
}

result<void> fill_zero(Device& device, const Buffer& buffer) {
  if (buffer.bytes() == 0) return {};
  const std::uint32_t zero = 0;
  const std::int32_t status =
      device.plugin().devices().fill(device.stream(), buffer.ref(), &zero, sizeof zero, buffer.bytes());
  if (status != TENON_OK) return fail(plugin_error(status, "fill"));
  return {};
}

InputStore::InputStore(std::shared_ptr<Device> device, const Program& program, DType real)
    : device_(std::move(device)),
      inputs_(program.inputs),
      real_count_(static_cast<std::size_t>(std::ranges::count(inputs_, Kind::real, &InputSpec::kind))),
      forward_reals_(program.forward_reals),
      forward_naturals_(program.forward_naturals),
      real_(real) {}

result<bool> InputStore::reserve(std::uint64_t rows) {
  if (rows <= rows_ && !buffers_.empty()) return false;
  std::vector<std::uint64_t> bytes;
  for (const InputSpec& input : inputs_)
    bytes.push_back(bytes_of(with_rows(input.shape, rows), input.kind == Kind::real ? real_ : DType::u32));
  TENON_TRY(buffers_, allocate_all(device_, bytes));
  rows_ = rows;
  return true;
}

result<void> InputStore::check(const Batch& given, const Trace& trace) const {
  const bool forward = trace.kind == TraceKind::forward;
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    const bool real = i < real_count_;
    const std::size_t place = real ? i : i - real_count_;
    const std::size_t count = real ? given.reals.size() : given.naturals.size();
    const bool needed = !forward || place < (real ? forward_reals_ : forward_naturals_);
    if (place >= count) {
      if (!needed) continue;  // a target, which the forward program does not see
      return fail(Reason::DATA_MISMATCH, "[session] input " + inputs_[i].name + " is missing from the batch");
    }
    TENON_CHECK(check_count(inputs_[i], real ? given.reals[place].size() : given.naturals[place].size(), given.rows));
  }
  for (const IndexBound& bound : trace.bounds) TENON_CHECK(check_bound(bound, given.naturals[bound.natural]));
  return {};
}

result<void> InputStore::upload(const Batch& given, const Trace& trace) {
  TENON_CHECK(check(given, trace));
  for (std::size_t i = 0; i < given.reals.size() && i < real_count_; ++i) {
    TENON_CHECK(device_->write(buffers_[i].ref(), stored(given.reals[i], real_, staging_)));
  }
  for (std::size_t i = 0; i < given.naturals.size() && real_count_ + i < inputs_.size(); ++i)
    TENON_CHECK(device_->write(buffers_[real_count_ + i].ref(), std::as_bytes(given.naturals[i])));
  return {};
}

}  // namespace tenon
