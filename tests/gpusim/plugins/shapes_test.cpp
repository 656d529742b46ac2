// Shapes that choose each form of a kernel, which the table's own cases are too small for: tiles of every size with and
// without whole packs, rows served by sixteen threads, by a block and by rounds of blocks, convolutions in 64 bits.
// Drawn by the same bits everywhere, the CPU's result is what is expected.
#include <cmath>
#include <cstring>

#include "simulated.h"

namespace tenon::test {
namespace {

struct Program {
  const char* name;
  const char* forward;
};

const Program programs[] = {
    {"largest tiles of odd matrices", R"(
  %a = rand_uniform() {shape=(300, 13)}
  %b = rand_uniform() {shape=(13, 299)}
  %c = matmul(%a, %b))"},
    {"largest tiles in packs", R"(
  %a = rand_uniform() {shape=(264, 16)}
  %b = rand_uniform() {shape=(16, 392)}
  %c = matmul(%a, %b))"},
    {"middle tiles of odd matrices", R"(
  %a = rand_uniform() {shape=(141, 21)}
  %b = rand_uniform() {shape=(21, 131)}
  %c = matmul(%a, %b))"},
    {"middle tiles in packs, many matrices", R"(
  %a = rand_uniform() {shape=(3, 100, 36)}
  %b = rand_uniform() {shape=(36, 68)}
  %c = matmul(%a, %b))"},
    {"linear in packs", R"(
  %a = rand_uniform() {shape=(300, 20)}
  %b = rand_uniform() {shape=(296, 20)}
  %d = rand_uniform() {shape=(296)}
  %c = linear(%a, %b, %d))"},
    {"linear of odd matrices", R"(
  %a = rand_uniform() {shape=(301, 9)}
  %b = rand_uniform() {shape=(299, 9)}
  %d = rand_uniform() {shape=(299)}
  %c = linear(%a, %b, %d))"},
    {"linear with nothing to sum", R"(
  %a = rand_uniform() {shape=(300, 0)}
  %b = rand_uniform() {shape=(300, 0)}
  %d = rand_uniform() {shape=(300)}
  %c = linear(%a, %b, %d))"},
    {"attention over more keys than a short row", R"(
  %q = rand_uniform() {shape=(2, 30, 12)}
  %k = rand_uniform() {shape=(2, 517, 12)}
  %v = rand_uniform() {shape=(2, 517, 7)}
  %m = bernoulli_mask() {shape=(2, 30, 517), keep=0.5}
  %c = scaled_dot_product_attention(%q, %k, %v, %m))"},
    {"middle tiles of a convolution", R"(
  %x = rand_uniform() {shape=(2, 4, 20, 20)}
  %w = rand_uniform() {shape=(70, 4, 3, 3)}
  %b = rand_uniform() {shape=(70)}
  %c = conv(%x, %w, %b) {padding=(1, 1)})"},
    {"small tiles of a convolution in groups, with strides", R"(
  %x = rand_uniform() {shape=(3, 6, 13, 17)}
  %w = rand_uniform() {shape=(10, 3, 2, 4)}
  %b = rand_uniform() {shape=(10)}
  %c = conv(%x, %w, %b) {stride=(2, 3), padding=(3, 1), dilation=(2, 1), groups=2})"},
    {"a convolution of three axes", R"(
  %x = rand_uniform() {shape=(2, 3, 5, 6, 7)}
  %w = rand_uniform() {shape=(4, 3, 2, 3, 2)}
  %b = rand_uniform() {shape=(4)}
  %c = conv(%x, %w, %b) {stride=(1, 2, 1), padding=(1, 0, 2)})"},
    {"a convolution whose numbers need 64 bits", R"(
  %x = rand_uniform() {shape=(1, 2, 4)}
  %w = rand_uniform() {shape=(3, 2, 2)}
  %b = rand_uniform() {shape=(3)}
  %c = conv(%x, %w, %b) {stride=(4294967296), padding=(4294967296)})"},
    {"a transposed convolution with strides", R"(
  %x = rand_uniform() {shape=(2, 9, 11, 10)}
  %w = rand_uniform() {shape=(9, 5, 3, 4)}
  %b = rand_uniform() {shape=(5)}
  %c = conv_transpose(%x, %w, %b) {stride=(2, 3), padding=(1, 2)})"},
    {"a convolution's gradients", R"(
  %x = rand_uniform() {shape=(2, 5, 14, 14)}
  %w = rand_uniform() {shape=(66, 5, 3, 3)}
  %u = rand_uniform() {shape=(2, 66, 12, 12)}
  %i = conv_grad_input(%x, %w, %u)
  %j = conv_grad_weight(%x, %w, %u)
  %k = reshape(%i) {shape=(1960)}
  %l = reshape(%j) {shape=(2970)}
  %c = concat(%k, %l) {axis=0})"},
    {"gradients of an odd convolution with strides", R"(
  %x = rand_uniform() {shape=(3, 4, 11, 9)}
  %w = rand_uniform() {shape=(7, 4, 2, 3)}
  %u = rand_uniform() {shape=(3, 7, 5, 4)}
  %i = conv_grad_input(%x, %w, %u) {stride=(2, 2)}
  %j = conv_grad_weight(%x, %w, %u) {stride=(2, 2)}
  %k = reshape(%i) {shape=(1188)}
  %l = reshape(%j) {shape=(168)}
  %c = concat(%k, %l) {axis=0})"},
    {"pooling over windows that overlap", R"(
  %x = rand_uniform() {shape=(2, 3, 12, 13)}
  %a = max_pool(%x) {kernel=(3, 4), stride=(2, 1), padding=(1, 2)}
  %b = avg_pool(%x) {kernel=(3, 4), stride=(2, 1), padding=(1, 2)}
  %s = smooth_max_pool(%x) {kernel=(3, 4), stride=(2, 1), padding=(1, 2), beta=2}
  %g = max_pool_grad(%x, %a) {kernel=(3, 4), stride=(2, 1), padding=(1, 2)}
  %h = avg_pool_grad(%x, %b) {kernel=(3, 4), stride=(2, 1), padding=(1, 2)}
  %t = smooth_max_pool_grad(%x, %s) {kernel=(3, 4), stride=(2, 1), padding=(1, 2), beta=2}
  %i = add(%g, %h)
  %c = add(%i, %t))"},
    {"rows of one block of the tree", R"(
  %x = rand_uniform() {shape=(3, 4096)}
  %a = softmax(%x)
  %c = log_softmax(%a))"},
    {"rows a little longer than short ones", R"(
  %x = rand_uniform() {shape=(5, 513)}
  %m = bernoulli_mask() {shape=(5, 513), keep=0.7}
  %a = hard_masked_softmax(%x, %m)
  %b = log_softmax(%x)
  %c = sub(%a, %b))"},
    {"rows of several rounds", R"(
  %x = rand_uniform() {shape=(2, 140001)}
  %w = rand_uniform() {shape=(140001)}
  %a = softmax(%x)
  %c = layer_norm(%x, %w, %w)
  %d = add(%a, %c))"},
    {"sums of one, of many and of few", R"(
  %x = rand_uniform() {shape=(6, 70, 130)}
  %a = reduce_sum(%x)
  %b = reduce_mean(%x) {axes=(0, 2)}
  %d = reduce_sum(%x) {axes=(0, 1)}
  %e = reduce_max(%x) {axes=(1, 2)}
  %f = reduce_sum(%x) {axes=(1)}
  %g = reduce_sum(%f)
  %h = reduce_sum(%e)
  %i = reduce_sum(%d)
  %j = reduce_sum(%b)
  %k = add(%a, %g)
  %l = add(%h, %i)
  %m = add(%j, %k)
  %c = add(%l, %m))"},
    {"a loss of several blocks", R"(
  %x = rand_uniform() {shape=(90, 110)}
  %y = rand_uniform() {shape=(90, 110)}
  %c = mse_loss(%x, %y))"},
    {"vectors and columns repeated", R"(
  %x = rand_uniform() {shape=(24)}
  %y = rand_uniform() {shape=(20, 1)}
  %z = rand_uniform() {shape=(5, 1, 24)}
  %a = broadcast(%x) {shape=(5, 20, 24)}
  %b = broadcast(%y) {shape=(5, 20, 24)}
  %d = broadcast(%z) {shape=(5, 20, 24)}
  %e = sub(%a, %b)
  %c = mul(%e, %d))"},
    {"axes in another order", R"(
  %x = rand_uniform() {shape=(3, 5, 7, 8)}
  %a = permute(%x) {axes=(1, 0, 2, 3)}
  %b = permute(%x) {axes=(3, 1, 2, 0)}
  %d = permute(%x) {axes=(1, 2, 0, 3)}
  %e = reshape(%a) {shape=(840)}
  %f = reshape(%b) {shape=(840)}
  %g = reshape(%d) {shape=(840)}
  %h = sub(%e, %f)
  %c = mul(%h, %g))"},
    {"parts in packs and in elements", R"(
  %x = rand_uniform() {shape=(6, 8, 4)}
  %y = rand_uniform() {shape=(6, 3, 4)}
  %a = concat(%x, %y) {axis=1}
  %b = slice(%a) {axis=1, start=2, stop=9}
  %d = slice(%b) {axis=2, start=1, stop=4}
  %e = slice(%b) {axis=2, start=0, stop=1}
  %c = concat(%d, %e) {axis=2})"},
    {"a scan of steps at once and of some more", R"(
  %a = rand_uniform() {shape=(11, 37)}
  %b = rand_uniform() {shape=(11, 37)}
  %x = rand_uniform() {shape=(11, 37)}
  %h = rand_uniform() {shape=(37)}
  %y = selective_scan(%a, %b, %x, %h)
  %c = selective_scan_grad(%a, %y))"},
    {"modes of lengths that are no powers", R"(
  %x = rand_uniform() {shape=(3, 5, 45)}
  %r = rand_uniform() {shape=(11, 5, 6)}
  %i = rand_uniform() {shape=(11, 5, 6)}
  %c = fft_fno(%x, %r, %i))"},
    {"functions that have fast forms, and their gradients", R"(
  %x = init_normal() {shape=(7, 33), mean=0, std=3}
  %u = rand_uniform() {shape=(7, 33)}
  %a = gelu_grad(%x, %u)
  %b = erf_grad(%x, %u)
  %d = safe_log(%x)
  %e = gelu(%x)
  %f = add(%a, %b)
  %g = add(%d, %e)
  %c = add(%f, %g))"},
    {"planes that are whole packs, and others", R"(
  %x = rand_uniform() {shape=(3, 5, 4, 4)}
  %y = rand_uniform() {shape=(3, 5, 4, 3)}
  %m = rand_uniform() {shape=(5)}
  %a = batch_norm(%x, %m, %m, %m, %m)
  %b = batch_norm(%y, %m, %m, %m, %m)
  %c = concat(%a, %b) {axis=3})"},
};

std::string text_of(const Program& program) {
  const std::string forward = program.forward;
  const auto last = forward.rfind('%', forward.rfind(" = "));
  return "tenon program 1\n\nforward" + forward + "\n  return " + forward.substr(last, forward.find(' ', last) - last) +
         "\n";
}

class Shapes : public Simulated {
 protected:
  void SetUp() override {
    if (TENON_TEST_SANITIZED) GTEST_SKIP() << "takes minutes with a sanitizer; the build without one does it";
  }
  /// The numbers that a program gives.
  std::vector<float> result(const std::string& text, const Words& device, const char* dtype,
                            const Words& more = {}) const {
    const std::string file = (place / "result.safetensors").string();
    Words words{"run", place.write("program.tenon", text), "--output", file, "--dtype", dtype};
    words.insert(words.end(), device.begin(), device.end());
    words.insert(words.end(), more.begin(), more.end());
    const Outcome outcome = place.tenon(words);
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    if (outcome.status != 0) return {};
    const std::string bytes = read_file(file);
    std::uint64_t header = 0;
    std::memcpy(&header, bytes.data(), sizeof header);
    std::vector<float> numbers((bytes.size() - sizeof header - header) / sizeof(float));
    std::memcpy(numbers.data(), bytes.data() + sizeof header + header, numbers.size() * sizeof(float));
    return numbers;
  }
  static void expect_bits(const std::vector<float>& expected, const std::vector<float>& found) {
    ASSERT_EQ(found.size(), expected.size());
    EXPECT_EQ(std::memcmp(found.data(), expected.data(), found.size() * sizeof(float)), 0);
  }
  void expect_the_bits_of_the_cpu(const std::string& text, const Words& more = {}) const {
    const std::vector<float> expected = result(text, on("cpu"), "float32", more);
    ASSERT_FALSE(expected.empty());
    expect_bits(expected, result(text, on(kind), "float32", more));
  }
  /// A file with natural numbers below 50, by the name `at`.
  Words naturals(std::size_t count) const {
    std::string header = R"({"at":{"dtype":"U32","shape":[)" + std::to_string(count) + R"(],"data_offsets":[0,)" +
                         std::to_string(4 * count) + "]}}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t size = header.size();
    std::string bytes(reinterpret_cast<const char*>(&size), sizeof size);
    bytes += header;
    for (std::uint32_t i = 0; i < count; ++i) {
      const std::uint32_t number = i * 7919u % 53u % 50u;
      bytes.append(reinterpret_cast<const char*>(&number), sizeof number);
    }
    return {"--input", place.write("naturals.safetensors", bytes)};
  }
};

TEST_P(Shapes, OfEveryFormGiveTheBitsOfTheCpuAndAreCloseInFastMode) {
  use_checked_kernels();
  for (const Program& program : programs) {
    SCOPED_TRACE(program.name);
    const std::string text = text_of(program);
    const std::vector<float> expected = result(text, on("cpu"), "float32");
    ASSERT_FALSE(expected.empty());
    expect_bits(expected, result(text, on(kind), "float32"));
    if (kind != "cuda") continue;  // the same kernels
    const std::vector<float> fast = result(text, on(kind), "float32:fast");
    ASSERT_EQ(fast.size(), expected.size());
    for (std::size_t i = 0; i < fast.size(); ++i)
      ASSERT_NEAR(fast[i], expected[i], 1e-4 * (1 + std::abs(expected[i]))) << "element " << i;
  }
}

/// More of them than a block of threads looks at together, most of them twice and more.
TEST_P(Shapes, OfManyIndicesGiveTheBitsOfTheCpu) {
  for (const char* inner : {"1", "3", "8", "300"}) {
    SCOPED_TRACE(inner);
    const std::string of = std::string(", ") + inner + ")";
    expect_the_bits_of_the_cpu(
        "tenon program 1\n%i = natural at : (700)\n\nforward\n"
        "  %x = rand_uniform() {shape=(2, 50" +
            of +
            "}\n"
            "  %a = gather(%x, %i) {axis=1}\n"
            "  %v = rand_uniform() {shape=(2, 700" +
            of +
            "}\n"
            "  %b = mul(%a, %v)\n"
            "  %c = scatter_add(%x, %b, %i) {axis=1}\n"
            "  return %c\n",
        naturals(700));
  }
}

/// A row of three times 4096 blocks of the tree, whose sums are a third level; of two the order would not matter.
TEST_P(Shapes, OfARowOfThirtyFourMillionGiveTheBitsOfTheCpu) {
  if (kind != "cuda") GTEST_SKIP() << "the same kernels; takes seconds";
  expect_the_bits_of_the_cpu(text_of({"", R"(
  %x = rand_uniform() {shape=(34000000)}
  %y = reshape(%x) {shape=(1, 34000000)}
  %a = softmax(%y)
  %b = slice(%a) {axis=1, start=33999000, stop=34000000}
  %c = reshape(%b) {shape=(1000)})"}));
}

INSTANTIATE_TEST_SUITE_P(With, Shapes, every_kind, name_of_kind);

}  // namespace
}  // namespace tenon::test
