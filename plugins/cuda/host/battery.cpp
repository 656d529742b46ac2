#include "battery.h"

#include <cstring>
#include <limits>

#include "device.h"
#include "kernels/shapes.h"
#include "kernels/walk.h"
#include "tenon/numerics.h"
#include "tenon/random.h"

namespace tenon::gpu {
namespace {

using plugin::text;

constexpr std::uint64_t cases = 1024;

template <class T>
constexpr const char* suffix = sizeof(T) == 4 ? "_f32" : "_f64";

/// The same bits; one NaN is as good as another.
template <class T>
bool same(T a, T b) {
  return strict::detail::bits(a) == strict::detail::bits(b) || (a != a && b != b);
}

/// Numbers of all magnitudes: the ends, subnormal ones, halves of a last place, and bit patterns as they come.
template <class T>
std::vector<T> hard_numbers(std::uint64_t key) {
  using Limits = std::numeric_limits<T>;
  std::vector<T> numbers = {T(0),
                            -T(0),
                            T(1),
                            -T(1),
                            Limits::min(),
                            Limits::max(),
                            Limits::denorm_min(),
                            -Limits::denorm_min(),
                            Limits::epsilon(),
                            1 + Limits::epsilon(),
                            1 - Limits::epsilon() / 2,
                            Limits::min() / 2,
                            Limits::infinity(),
                            -Limits::infinity(),
                            Limits::quiet_NaN(),
                            T(1) / 3};
  for (std::uint64_t i = 0; numbers.size() < cases; ++i) {
    const std::uint64_t bits = random::splitmix64(key + i);
    T number;
    std::memcpy(&number, &bits, sizeof number);
    numbers.push_back(i % 2 == 0 ? number
                                 : static_cast<T>(static_cast<double>(static_cast<std::int64_t>(bits)) * 0x1p-61));
  }
  return numbers;
}

/// A little of the device's memory in numbered places, and launches there.
class Bench {
 public:
  Bench(Device& device, NativeStream stream) : device_(device), stream_(stream) {
    device_.memory_alloc(4 * place_bytes, 256, TENON_MEMORY_DEVICE, &memory_);
  }
  ~Bench() {
    try {
      device_.memory_free(memory_.memory);
    } catch (...) {  // the device is lost, which has been told
    }
  }
  Bench(const Bench&) = delete;
  Bench& operator=(const Bench&) = delete;

  Address place(unsigned number) const { return memory_.memory + number * place_bytes; }

  /// Does work on memory of the host's that is gone after a failure: what was queued is over by then.
  template <class Work>
  auto settled(const Work& work) {
    try {
      return work();
    } catch (...) {
      static_cast<void>(device_.driver().stream_synchronize(stream_));
      throw;
    }
  }
  template <class T>
  void put(unsigned number, const std::vector<T>& values) {
    check(device_.driver().copy_in(place(number), values.data(), values.size() * sizeof(T), stream_));
  }
  template <class T>
  std::vector<T> take(unsigned number, std::size_t count) {
    std::vector<T> values(count);
    settled([&] {
      check(device_.driver().copy_out(values.data(), place(number), count * sizeof(T), stream_));
      check(device_.driver().stream_synchronize(stream_));
    });
    return values;
  }
  template <class... A>
  void launch(const char* family, const std::string& kernel, std::uint32_t blocks, A... arguments) {
    void* parameters[] = {&arguments...};
    check(device_.driver().launch(device_.function(family, kernel), blocks, 1, 1, block_threads, 1, 1, 0, stream_,
                                  parameters, nullptr));
    check(device_.driver().stream_synchronize(stream_));
  }

 private:
  static constexpr std::uint64_t place_bytes = std::uint64_t{64} << 10;

  void check(Status status) const { device_.check(status, "strict battery"); }

  Device& device_;
  NativeStream stream_;
  tenon_memory memory_{};
};

/// In hexadecimal: what differs may be the last bit.
template <class T>
std::string exact(T number) {
  char digits[40];
  std::snprintf(digits, sizeof digits, "%a", static_cast<double>(number));
  return digits;
}

template <class T>
std::string compare(const std::string& kernel, const std::vector<T>& found, const std::vector<T>& expected) {
  for (std::size_t i = 0; i < expected.size(); ++i) {
    if (same(found[i], expected[i])) continue;
    return text(kernel, " of case ", i, " gave ", exact(found[i]), ", expected ", exact(expected[i]));
  }
  return {};
}

/// An elementwise kernel of one or two operands, on hard numbers, there and here.
template <class T, class Function>
std::string apply(Bench& bench, const char* name, const Function& function) {
  const std::string kernel = text(name, suffix<T>);
  const std::vector<T> left = hard_numbers<T>(1), right = hard_numbers<T>(2);
  std::vector<T> expected;
  constexpr bool is_binary = std::is_invocable_v<Function, T, T>;
  for (std::uint64_t i = 0; i < cases; ++i) {
    if constexpr (is_binary)
      expected.push_back(function(left[i], right[i]));
    else
      expected.push_back(function(left[i]));
  }
  constexpr std::uint32_t blocks = cases / block_threads;
  return bench.settled([&] {
    bench.put(1, left);
    bench.put(2, right);
    if constexpr (is_binary)
      bench.launch("elementwise", kernel, blocks, cases, bench.place(0), bench.place(1), bench.place(2));
    else
      bench.launch("elementwise", kernel, blocks, cases, bench.place(0), bench.place(1));
    return compare(kernel, bench.take<T>(0, cases), expected);
  });
}

/// Numbers near 1, whose sums depend on the order.
template <class T>
std::vector<T> ordinary_numbers(std::uint64_t count) {
  std::vector<T> numbers;
  for (std::uint64_t i = 0; i < count; ++i) numbers.push_back(random::uniform<T>(-1, 1, 3, i));
  return numbers;
}

template <class T>
std::string tree_sum(Bench& bench) {
  constexpr std::uint64_t count = 4000;  // one block of the tree
  const std::vector<T> x = ordinary_numbers<T>(count);
  Walk one, members;
  members.count = members.extent[0] = count;
  members.axes = 1;
  members.stride[0] = 1;
  const std::string kernel = text("sum_neighbours", suffix<T>);
  const T expected = strict::tree_sum<T>(count, [&](std::uint64_t i) { return x[i]; }) / 3;
  return bench.settled([&] {
    bench.put(1, x);
    bench.launch("reductions", kernel, 1, one, members, bench.place(0), bench.place(1), T(3));
    return compare(kernel, bench.take<T>(0, 1), {expected});
  });
}

template <class T>
std::string product(Bench& bench) {
  constexpr Extents shape{5, 7, 40};
  const std::vector<T> left = ordinary_numbers<T>(shape.rows * shape.depth);
  const std::vector<T> right = ordinary_numbers<T>(shape.depth * shape.columns);
  const std::string kernel = text("matmul_strict_32", suffix<T>);
  std::vector<T> expected;
  for (std::uint64_t i = 0; i < shape.rows; ++i) {
    for (std::uint64_t j = 0; j < shape.columns; ++j) {
      T sum = 0;
      for (std::uint64_t k = 0; k < shape.depth; ++k)
        sum = sum + left[i * shape.depth + k] * right[k * shape.columns + j];
      expected.push_back(sum);
    }
  }
  return bench.settled([&] {
    bench.put(1, left);
    bench.put(2, right);
    bench.launch("linear_algebra", kernel, 1, shape, Walk(), Walk(), bench.place(0), bench.place(1), bench.place(2));
    return compare(kernel, bench.take<T>(0, expected.size()), expected);
  });
}

template <class T>
std::string first_failure(Bench& bench) {
  std::string failure;
  const auto run = [&](std::string found) { failure = failure.empty() ? std::move(found) : failure; };
  run(apply<T>(bench, "add", [](T a, T b) { return a + b; }));
  run(apply<T>(bench, "mul", [](T a, T b) { return a * b; }));
  run(apply<T>(bench, "div", [](T a, T b) { return a / b; }));
  run(apply<T>(bench, "maximum", [](T a, T b) { return strict::maximum(a, b); }));
  run(apply<T>(bench, "sqrt", [](T x) { return strict::sqrt(x); }));
  run(apply<T>(bench, "exp", [](T x) { return strict::exp(x); }));
  run(apply<T>(bench, "log", [](T x) { return strict::log(x); }));
  run(apply<T>(bench, "sin", [](T x) { return strict::sin(x); }));
  run(apply<T>(bench, "gelu", [](T x) { return strict::gelu(x); }));
  run(tree_sum<T>(bench));
  run(product<T>(bench));
  return failure;
}

}  // namespace

std::string strict_failure(Device& device, NativeStream stream) {
  try {
    Bench bench(device, stream);
    const std::string failure = first_failure<float>(bench);
    return failure.empty() ? first_failure<double>(bench) : failure;
  } catch (const plugin::KernelError& error) {
    if (error.status() == TENON_ERROR_OUT_OF_MEMORY || error.status() == TENON_ERROR_DEVICE_LOST) throw;
    return error.what();
  }
}

}  // namespace tenon::gpu
