#include "battery.h"

#include <bit>
#include <cstring>

#include "kernels/sums.h"
#include "stream.h"

namespace tenon::vulkan {
namespace {

// -- what is asked, and the bits of the answer --------------------------------------------------------------

/// Operations as shaders/battery.comp numbers them.
template <class Bits>
struct Case {
  std::uint32_t operation;
  Bits left, right, third, expected;
  std::string_view words;
};

constexpr Case<std::uint32_t> cases32[] = {
    {0, 0x3f800000u, 0x33800000u, 0x00000000u, 0x3f800000u, "a tie goes to even"},
    {0, 0x3f800001u, 0x33800000u, 0x00000000u, 0x3f800002u, "a tie goes up to even"},
    {0, 0x00000001u, 0x00000001u, 0x00000000u, 0x00000002u, "subnormal + subnormal"},
    {1, 0x00800000u, 0x00000001u, 0x00000000u, 0x007fffffu, "below the normal numbers"},
    {0, 0x7f7fffffu, 0x73000000u, 0x00000000u, 0x7f800000u, "overflow"},
    {1, 0x3f800000u, 0x33000000u, 0x00000000u, 0x3f800000u, "cancellation below 1"},
    {2, 0x0d800000u, 0x27000000u, 0x00000000u, 0x00000001u, "the smallest product"},
    {2, 0x0d800000u, 0x26800000u, 0x00000000u, 0x00000000u, "a tie with 0"},
    {2, 0x0dc00000u, 0x26800000u, 0x00000000u, 0x00000001u, "a product beyond that tie"},
    {2, 0x00000001u, 0x3fc00000u, 0x00000000u, 0x00000002u, "a subnormal factor"},
    {2, 0x3f800800u, 0x3f800800u, 0x00000000u, 0x3f801000u, "an inexact square"},
    {3, 0x3f800000u, 0x40400000u, 0x00000000u, 0x3eaaaaabu, "1 / 3"},
    {3, 0x3f800000u, 0x42440000u, 0x00000000u, 0x3ca72f05u, "1 / 49"},
    {3, 0x40a00000u, 0x40e00000u, 0x00000000u, 0x3f36db6eu, "5 / 7"},
    {3, 0x00000003u, 0x40000000u, 0x00000000u, 0x00000002u, "a subnormal tie"},
    {3, 0x00800000u, 0x40400000u, 0x00000000u, 0x002aaaabu, "a subnormal quotient"},
    {3, 0x00ffffffu, 0x3f800001u, 0x00000000u, 0x00fffffdu, "a quotient near 1"},
    {4, 0x40000000u, 0x00000000u, 0x00000000u, 0x3fb504f3u, "root of 2"},
    {4, 0x00000001u, 0x00000000u, 0x00000000u, 0x1a3504f3u, "root of a subnormal"},
    {4, 0x3dcccccdu, 0x00000000u, 0x00000000u, 0x3ea1e89bu, "root of 0.1"},
    {4, 0x3f7fffffu, 0x00000000u, 0x00000000u, 0x3f7fffffu, "root below 1"},
    {5, 0x3f800800u, 0x3f800800u, 0xbf801000u, 0x00000000u, "a product is rounded before it is added to"},
    {5, 0x3fffffffu, 0x3fffffffu, 0xc0800000u, 0xb5000000u, "so is a large one"},
    {6, 0x3f800000u, 0x33800000u, 0x00000000u, 0x3f800000u, "binary64 to binary32, a tie"},
};

constexpr Case<std::uint64_t> cases64[] = {
    {0, 0x3ff0000000000000u, 0x3ca0000000000000u, 0x0000000000000000u, 0x3ff0000000000000u, "a tie goes to even"},
    {0, 0x0000000000000001u, 0x0000000000000001u, 0x0000000000000000u, 0x0000000000000002u, "subnormal + subnormal"},
    {1, 0x0010000000000000u, 0x0000000000000001u, 0x0000000000000000u, 0x000fffffffffffffu, "below the normal numbers"},
    {2, 0x1e60000000000000u, 0x1e60000000000000u, 0x0000000000000000u, 0x0000000000000001u, "the smallest product"},
    {2, 0x1e50000000000000u, 0x1e60000000000000u, 0x0000000000000000u, 0x0000000000000000u, "a tie with 0"},
    {2, 0x3ff0000001000000u, 0x3ff0000001000000u, 0x0000000000000000u, 0x3ff0000002000000u, "an inexact square"},
    {3, 0x3ff0000000000000u, 0x4008000000000000u, 0x0000000000000000u, 0x3fd5555555555555u, "1 / 3"},
    {3, 0x4014000000000000u, 0x401c000000000000u, 0x0000000000000000u, 0x3fe6db6db6db6db7u, "5 / 7"},
    {3, 0x0000000000000003u, 0x4000000000000000u, 0x0000000000000000u, 0x0000000000000002u, "a subnormal tie"},
    {3, 0x3fffffffffffffffu, 0x3ff0000000000001u, 0x0000000000000000u, 0x3ffffffffffffffdu, "a quotient near 2"},
    {4, 0x4000000000000000u, 0x0000000000000000u, 0x0000000000000000u, 0x3ff6a09e667f3bcdu, "root of 2"},
    {4, 0x0000000000000001u, 0x0000000000000000u, 0x0000000000000000u, 0x1e60000000000000u, "root of a subnormal"},
    {4, 0x3fefffffffffffffu, 0x0000000000000000u, 0x0000000000000000u, 0x3fefffffffffffffu, "root below 1"},
    {5, 0x3ff0000001000000u, 0x3ff0000001000000u, 0xbff0000002000000u, 0x0000000000000000u,
     "a product is rounded before it is added to"},
    {6, 0x3ff0000000000000u, 0x3e70000000000000u, 0x0000000000000000u, 0x3ff0000000000000u, "to binary32, a tie"},
    {6, 0x3ff0000000000000u, 0x3e70000001000000u, 0x0000000000000000u, 0x3ff0000020000000u,
     "to binary32, beyond the tie"},
    {6, 0x36a0000000000000u, 0x3690000000000000u, 0x0000000000000000u, 0x36b0000000000000u, "to a subnormal, a tie"},
    {6, 0x3690000000000000u, 0x0000000000000000u, 0x0000000000000000u, 0x0000000000000000u, "to 0, a tie"},
    {6, 0x3690000000000000u, 0x3550000000000000u, 0x0000000000000000u, 0x36a0000000000000u, "to the smallest number"},
};

/// The elements of the sum and of the matrices.
float element(std::size_t i) { return static_cast<float>(static_cast<int>(i * 7919 % 1009) - 504) * 0.37f; }
constexpr std::size_t summed = 5000, depth = 300;
constexpr std::uint32_t sum = 0x4347ccd6u;
constexpr std::uint32_t product[] = {0xc917cdf0u, 0x46a920cau, 0xc922f8cfu,
                                     0x4711e8b8u};  // (2, depth) by (depth, 2), from elements 0 and 1000 on

// -- running it ---------------------------------------------------------------------------------------------

/// Buffers for one kernel, given back at the end.
class Bench {
 public:
  explicit Bench(Stream& stream) : device_(stream.device()), stream_(stream) {}
  ~Bench() {
    static_cast<void>(plugin::guard([&] { stream_.synchronize(TENON_FOREVER); }));
    for (Buffer* buffer : buffers_) device_.memory().free(buffer);
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  template <class T>
  void give(const std::vector<T>& values) {
    stream_.copy_in(add(values.size() * sizeof(T)), values.data());
  }
  void take(std::uint64_t bytes) { add(bytes); }

  /// Runs a shader on all buffers, the last one written, and returns what is there.
  template <class T>
  std::vector<T> run(std::uint32_t shader_number, bool wide, const Push& push, std::size_t results) {
    const VkPipeline pipeline = device_.pipelines().get(shader_number, wide, {device_.workgroup(), 0, 0});
    Command& command = stream_.next();
    command.kind = Command::Kind::dispatch;
    command.pipeline = pipeline;
    command.groups = {static_cast<std::uint32_t>((results - 1) / device_.workgroup() + 1), 1, 1};
    command.range_count = static_cast<std::uint32_t>(buffers_.size());
    command.written = 1u << (buffers_.size() - 1);
    for (std::size_t i = 0; i < buffers_.size(); ++i) command.ranges[i] = range(*buffers_[i]);
    command.push_bytes = push.bytes();
    std::memcpy(command.push.data(), push.data(), push.bytes());
    std::vector<T> read(results);
    stream_.copy_out(read.data(), {buffers_.back()->buffer, 0, results * sizeof(T)});
    stream_.synchronize(TENON_FOREVER);
    return read;
  }

 private:
  static Range range(const Buffer& buffer) { return {buffer.buffer, 0, buffer.bytes}; }
  Range add(std::uint64_t bytes) {
    buffers_.reserve(buffers_.size() + 1);
    buffers_.push_back(device_.memory().allocate(bytes, tensor_alignment, Memory::Place::device));
    return range(*buffers_.back());
  }
  Device& device_;
  Stream& stream_;
  std::vector<Buffer*> buffers_;
};

std::string hexadecimal(std::uint64_t bits) {
  char digits[19];
  std::snprintf(digits, sizeof digits, "0x%llx", static_cast<unsigned long long>(bits));
  return digits;
}

std::string failure(std::string_view what, std::uint64_t found, std::uint64_t expected) {
  return plugin::text("the strict battery fails on this device: ", what, ": found ", hexadecimal(found), ", expected ",
                      hexadecimal(expected));
}

template <class Bits, std::size_t Count>
std::string arithmetic(Stream& stream, const Case<Bits> (&cases)[Count]) {
  Bench bench(stream);
  std::vector<std::uint32_t> operations;
  std::vector<Bits> left, right, third;
  for (const Case<Bits>& c : cases) {
    operations.push_back(c.operation);
    left.push_back(c.left);
    right.push_back(c.right);
    third.push_back(c.third);
  }
  bench.give(operations);
  bench.give(left);
  bench.give(right);
  bench.give(third);
  bench.take(Count * sizeof(Bits));
  Push push;
  push.count(Count);
  const auto found = bench.template run<Bits>(shader("battery.arithmetic"), sizeof(Bits) == 8, push, Count);
  for (std::size_t i = 0; i < Count; ++i) {
    if (found[i] == cases[i].expected) continue;
    return failure(plugin::text(sizeof(Bits) == 8 ? "binary64, " : "binary32, ", cases[i].words), found[i],
                   cases[i].expected);
  }
  return {};
}

std::vector<float> elements(std::size_t first, std::size_t count) {
  std::vector<float> values(count);
  for (std::size_t i = 0; i < count; ++i) values[i] = element(first + i);
  return values;
}

std::string tree(Stream& stream) {
  constexpr std::uint64_t blocks = 2;
  Bench level(stream);
  level.give(elements(0, summed));
  level.take(blocks * sizeof(float));
  const auto push_for = [](std::uint64_t members, std::uint64_t parts) {
    Push push;
    Groups::dense(1, members).put(push);
    return push.count(parts).count(members).count(parts).count(0).put(1.0f);
  };
  const auto halves = level.run<float>(shader("reductions.sum"), false, push_for(summed, blocks), blocks);
  Bench top(stream);
  top.give(halves);
  top.take(sizeof(float));
  const float found = top.run<float>(shader("reductions.sum"), false, push_for(blocks, 1), 1)[0];
  const auto bits = std::bit_cast<std::uint32_t>(found);
  return bits == sum ? std::string() : failure("a sum of 5000 elements", bits, sum);
}

std::string matrices(Stream& stream) {
  Bench bench(stream);
  bench.give(elements(0, 2 * depth));
  bench.give(elements(1000, depth * 2));
  bench.take(sizeof product);
  Push push;
  for (int i = 0; i < 18; ++i) push.count(0);
  push.count(0).count(2).count(depth).count(2).count(1);
  const auto found = bench.run<std::uint32_t>(shader("products.matmul"), false, push, std::size(product));
  for (std::size_t i = 0; i < std::size(product); ++i) {
    if (found[i] != product[i]) return failure("a product of matrices", found[i], product[i]);
  }
  return {};
}

}  // namespace

std::string run_battery(Device& device) {
  Stream stream(device);
  std::string words = arithmetic(stream, cases32);
  if (words.empty()) words = arithmetic(stream, cases64);
  if (words.empty()) words = tree(stream);
  if (words.empty()) words = matrices(stream);
  return words;
}

}  // namespace tenon::vulkan
