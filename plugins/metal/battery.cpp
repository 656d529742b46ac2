#include "battery.h"

#include <bit>
#include <cstring>

#include "capsules/products.h"
#include "capsules/sums.h"

namespace tenon::metal {
namespace {

// -- what is asked, and the bits of the answer --------------------------------------------------------------

/// Operations as battery_arithmetic numbers them.
struct Case {
  std::uint32_t operation, left, right, third, expected;
  std::string_view words;
};

constexpr Case cases[] = {
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

  /// Runs the pass on all buffers, the last one written, and returns what is there.
  template <class T>
  std::vector<T> run(const Pass& pass, std::size_t results) {
    const Pipeline& pipeline = device_.pipelines().get(pass.kernel);
    Command& command = stream_.next();
    command.kind = Command::Kind::dispatch;
    command.pipeline = &pipeline;
    command.group_threads = pass.threads == 0 ? pass.group_threads : few_threads;
    command.groups = {static_cast<std::uint32_t>((pass.threads + few_threads - 1) / few_threads), 1, 1};
    for (std::size_t axis = 0; pass.threads == 0 && axis < command.groups.size(); ++axis)
      command.groups[axis] = static_cast<std::uint32_t>(pass.groups[axis]);
    command.range_count = static_cast<std::uint32_t>(buffers_.size());
    for (std::size_t i = 0; i < buffers_.size(); ++i) command.ranges[i] = range(*buffers_[i]);
    command.constant_bytes = pass.constants.bytes();
    std::memcpy(command.constants.data(), pass.constants.data(), pass.constants.bytes());
    std::vector<T> read(results);
    stream_.copy_out(read.data(), {buffers_.back(), 0, results * sizeof(T)});
    stream_.synchronize(TENON_FOREVER);
    return read;
  }

 private:
  static constexpr std::uint32_t few_threads = 32;
  static Range range(const Buffer& buffer) { return {&buffer, 0, buffer.bytes}; }
  Range add(std::uint64_t bytes) {
    buffers_.reserve(buffers_.size() + 1);
    buffers_.push_back(device_.memory().allocate(bytes, Memory::Place::device));
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

std::string arithmetic(Stream& stream) {
  Bench bench(stream);
  std::vector<std::uint32_t> operations, left, right, third;
  for (const Case& c : cases) {
    operations.push_back(c.operation);
    left.push_back(c.left);
    right.push_back(c.right);
    third.push_back(c.third);
  }
  bench.give(operations);
  bench.give(left);
  bench.give(right);
  bench.give(third);
  bench.take(sizeof(std::uint32_t) * std::size(cases));
  Plan plan;
  Pass& pass = plan.add("battery_arithmetic").over(std::size(cases));
  pass.constants = tenon_metal::Battery{count32(std::size(cases))};
  const auto found = bench.run<std::uint32_t>(pass, std::size(cases));
  for (std::size_t i = 0; i < std::size(cases); ++i) {
    if (found[i] != cases[i].expected)
      return failure(plugin::text("binary32, ", cases[i].words), found[i], cases[i].expected);
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
  const auto pass_for = [](Plan& plan, std::uint64_t members, std::uint64_t parts) -> Pass& {
    Pass& pass = plan.add("reductions_sum").by_teams(parts);
    pass.constants = Groups::dense(1, members).constants(parts, parts);
    return pass;
  };
  Plan plan;
  const auto halves = level.run<float>(pass_for(plan, summed, blocks), blocks);
  Bench top(stream);
  top.give(halves);
  top.take(sizeof(float));
  const float found = top.run<float>(pass_for(plan, blocks, 1), 1)[0];
  const auto bits = std::bit_cast<std::uint32_t>(found);
  return bits == sum ? std::string() : failure("a sum of 5000 elements", bits, sum);
}

std::string matrices(Stream& stream) {
  Bench bench(stream);
  bench.give(elements(0, 2 * depth));
  bench.give(elements(1000, depth * 2));
  bench.take(sizeof product);
  Plan plan;
  const Product shape{2, depth, 2, Matrices(), 0, 1};
  const Pass& pass = add_product(plan, {"products_matmul", "products_matmul_small"}, shape);
  const auto found = bench.run<std::uint32_t>(pass, std::size(product));
  for (std::size_t i = 0; i < std::size(product); ++i) {
    if (found[i] != product[i]) return failure("a product of matrices", found[i], product[i]);
  }
  return {};
}

}  // namespace

std::string run_battery(Device& device) {
  Stream stream(device);
  std::string words = arithmetic(stream);
  if (words.empty()) words = tree(stream);
  if (words.empty()) words = matrices(stream);
  return words;
}

}  // namespace tenon::metal
