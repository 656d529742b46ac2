#include "storage.h"

#include <algorithm>
#include <cstring>

#include "tenon/guarded.h"

namespace tenon {
namespace {

result<void> check_count(const InputSpec& input, const Shape& shape, std::uint64_t found) {
  if (!is_static(shape)) return {};  // the forward program does not take it
  const auto expected = static_cast<std::uint64_t>(known_elements(shape));
  if (found == expected) return {};
  return fail(Reason::DATA_MISMATCH, "[session] input " + input.name + " " + to_string(shape) + ": found " +
                                         std::to_string(found) + " values, expected " + std::to_string(expected));
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

namespace {

template <class T>
result<void> fill(Device& device, const Buffer& buffer, T pattern) {
  if (buffer.bytes() == 0) return {};
  const auto call = [&] {
    return device.plugin().devices().fill(device.stream(), buffer.ref(), &pattern, sizeof pattern, buffer.bytes());
  };
  TENON_TRY(const std::int32_t status, guarded(device.plugin().candidate().manifest.library, "fill", call));
  if (status != TENON_OK) return fail(plugin_error(status, "fill"));
  return {};
}

}  // namespace

result<void> fill_zero(Device& device, const Buffer& buffer) { return fill(device, buffer, std::uint32_t{0}); }

result<void> fill_with(Device& device, const Buffer& buffer, double value, DType dtype) {
  return dtype == DType::f64 ? fill(device, buffer, value) : fill(device, buffer, static_cast<float>(value));
}

InputStore::InputStore(std::shared_ptr<Device> device, const Program& program, DType real)
    : device_(std::move(device)),
      inputs_(program.inputs),
      real_count_(leaf_counts(program).reals),
      real_(real),
      buffers_(inputs_.size()) {}

result<void> InputStore::check(const Batch& given, const Trace& trace) const {
  for (std::size_t i = 0; i < given.reals.size() && i < real_count_; ++i)
    TENON_CHECK(check_count(inputs_[i], trace.shapes[i], given.reals[i].size()));
  for (std::size_t i = 0; i < given.naturals.size() && real_count_ + i < inputs_.size(); ++i)
    TENON_CHECK(check_count(inputs_[real_count_ + i], trace.shapes[real_count_ + i], given.naturals[i].size()));
  for (const IndexBound& bound : trace.bounds) TENON_CHECK(check_bound(bound, given.naturals[bound.natural]));
  return {};
}

std::uint64_t InputStore::bytes(const Trace& trace, std::size_t input) const {
  const Shape& shape = trace.shapes[input];
  if (!is_static(shape)) return 0;  // not taken
  return bytes_of(shape, input < real_count_ ? real_ : DType::u32);
}

result<void> InputStore::reserve(const Trace& trace, std::uint64_t& generation) {
  for (std::size_t i = 0; i < inputs_.size(); ++i) {
    if (bytes(trace, i) <= buffers_[i].bytes()) continue;
    buffers_[i] = Buffer();  // before the new one is asked for: both may not fit
    ++generation;
    TENON_TRY(buffers_[i], Buffer::allocate(device_, bytes(trace, i)));
  }
  return {};
}

result<void> InputStore::upload(const Batch& given, const Trace& trace) {
  for (std::size_t i = 0; i < given.reals.size() && i < real_count_; ++i)
    if (bytes(trace, i) > 0) TENON_CHECK(device_->write(buffers_[i].ref(), stored(given.reals[i], real_, staging_)));
  for (std::size_t i = 0; i < given.naturals.size() && real_count_ + i < inputs_.size(); ++i)
    if (bytes(trace, real_count_ + i) > 0)
      TENON_CHECK(device_->write(buffers_[real_count_ + i].ref(), std::as_bytes(given.naturals[i])));
  return {};
}

}  // namespace tenon
