// The provider `native` gives the bits of `reference`, in each of its instruction sets, for every operation it has.
#include <map>

#include "variant.h"

namespace tenon::testing {
namespace {

using plugin::dtype_of;

/// The shape of the lengths that begin, fill and overrun vectors and ranges.
constexpr std::int64_t lengths[] = {0, 1, 3, 7, 15, 16, 17, 31, 33, 63, 64, 65, 100, 4095, 4097, 70001};

bool is_strict(const tenon_capsule& capsule) { return (capsule.numerics->flags & TENON_NUMERICS_STRICT) != 0; }

/// The strict capsules of `native` for a type.
std::vector<const tenon_capsule*> native_capsules(tenon_dtype type) {
  std::vector<const tenon_capsule*> out;
  for (const tenon_capsule* capsule : plugin::linked_capsules()) {
    if (std::string_view(capsule->provider) == "native" && is_strict(*capsule) &&
        plugin::same(capsule->dtypes->of[0], type))
      out.push_back(capsule);
  }
  return out;
}

/// Operations whose operands and results all have one shape; how many operands, and whether they take a step.
struct SameShape {
  std::uint32_t operands;
  int scalars = 0;  // 1: a rate; 2: a rate and a step
};
const std::map<std::string, SameShape> same_shape{
    {"add", {2}},       {"sub", {2}},       {"mul", {2}},          {"div", {2}},          {"maximum", {2}},
    {"minimum", {2}},   {"scale", {1}},     {"neg", {1}},          {"relu", {1}},         {"sqrt", {1}},
    {"abs", {1}},       {"relu_grad", {2}}, {"maximum_grad", {3}}, {"minimum_grad", {3}}, {"sigmoid_grad", {2}},
    {"tanh_grad", {2}}, {"sqrt_grad", {2}}, {"sgd", {2, 1}},       {"momentum", {3, 1}},  {"adam", {4, 2}},
    {"adamw", {4, 2}},
};
const std::vector<std::string> other_shapes{"matmul", "linear", "reduce_sum", "reduce_mean"};

template <class T>
void fill_in(Call& call, const SameShape& what, const std::string& op, const std::vector<std::vector<T>>& operands) {
  for (const auto& values : operands) call.operand<T>({static_cast<std::int64_t>(values.size())}, values);
  const std::uint32_t results = what.scalars == 0 ? 1 : what.operands - 1;
  for (std::uint32_t i = 0; i < results; ++i) call.output<T>({static_cast<std::int64_t>(operands[0].size())});
  if (op == "scale") call.real("factor", -0.3);
  if (op == "adam" || op == "adamw") call.real("decay", 0.01);
  if (what.scalars > 0) call.scalar(1e-3);
  if (what.scalars > 1) call.step(3);
}

class NativeBits : public VariantTest {
 protected:
  template <class T>
  void expect_same(Call& call, Call& reference, std::uint32_t results) {
    ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
    ASSERT_EQ(reference.run(), TENON_OK) << TestHost::error;
    for (std::uint32_t i = 0; i < results; ++i)
      ASSERT_TRUE(same_bits(call.result<T>(i), reference.result<T>(i))) << "output " << i;
  }

  template <class T>
  void compare_same_shape(const std::string& op, std::int64_t length, std::uint64_t offset, bool in_place) {
    const SameShape& what = same_shape.at(op);
    std::vector<std::vector<T>> operands;
    for (std::uint32_t i = 0; i < what.operands; ++i) operands.push_back(values<T>(static_cast<std::uint64_t>(length)));
    const std::string capsule = op + suffix<T>();
    Call call = native(capsule), reference(capsule);
    call.on(device()).offset(offset);
    fill_in(call, what, op, operands);
    fill_in(reference, what, op, operands);
    if (in_place) call.in_place(0, 0);
    expect_same<T>(call, reference, what.scalars == 0 ? 1 : what.operands - 1);
  }

  template <class T>
  void compare_every_same_shape() {
    for (const auto& [op, what] : same_shape) {
      for (const std::int64_t length : lengths) {
        SCOPED_TRACE(op + " of " + std::to_string(length));
        compare_same_shape<T>(op, length, 0, false);
        compare_same_shape<T>(op, length, sizeof(T), false);
        compare_same_shape<T>(op, length, 3 * sizeof(T), true);
      }
    }
  }

  template <class T>
  void compare_products() {
    for (const std::int64_t m : {0, 1, 2, 5, 6, 13, 97, 200})
      for (const std::int64_t k : {0, 1, 7, 64, 255, 256, 257, 600})
        for (const std::int64_t n : {0, 1, 3, 16, 31, 32, 33, 70})
          compare_product<T>(m, k, n,
                             [&](std::int64_t count) { return numbers<T>(static_cast<std::uint64_t>(count)); });
  }
  /// Short ones: in a long one every sum would end as NaN.
  template <class T>
  void compare_products_of_special_values() {
    for (const std::int64_t m : {1, 7, 13})
      for (const std::int64_t k : {1, 2, 3, 5})
        for (const std::int64_t n : {1, 16, 33, 130})
          compare_product<T>(m, k, n, [&](std::int64_t count) { return values<T>(static_cast<std::uint64_t>(count)); });
  }
  template <class T, class Draw>
  void compare_product(std::int64_t m, std::int64_t k, std::int64_t n, const Draw& draw) {
    SCOPED_TRACE(plugin::text("m ", m, ", k ", k, ", n ", n));
    const auto left = draw(m * k), right = draw(k * n), bias = draw(n);
    compare_matmul<T>({m, k}, left, {k, n}, right, {m, n});
    compare_linear<T>({m, k}, left, {n, k}, right, bias, {m, n});
  }

  template <class T>
  void compare_matmul(const Extents& a, const std::vector<T>& left, const Extents& b, const std::vector<T>& right,
                      const Extents& out) {
    const std::string capsule = "matmul" + suffix<T>();
    Call call = native(capsule), reference(capsule);
    call.on(device()).offset(sizeof(T));
    for (Call* c : {&call, &reference}) c->operand<T>(a, left).template operand<T>(b, right).template output<T>(out);
    expect_same<T>(call, reference, 1);
  }

  template <class T>
  void compare_linear(const Extents& x_shape, const std::vector<T>& x, const Extents& w_shape,
                      const std::vector<T>& weight, const std::vector<T>& bias, const Extents& out) {
    const std::string capsule = "linear" + suffix<T>();
    Call call = native(capsule), reference(capsule);
    call.on(device()).offset(sizeof(T));
    for (Call* c : {&call, &reference}) {
      c->operand<T>(x_shape, x).template operand<T>(w_shape, weight);
      c->operand<T>({w_shape[0]}, bias).template output<T>(out);
    }
    expect_same<T>(call, reference, 1);
  }

  template <class T>
  void compare_reductions() {
    for (const std::string op : {"reduce_sum", "reduce_mean"})
      for (const bool all : {false, true})
        for (const bool special : {false, true})
          for (const std::int64_t length : lengths) {
            SCOPED_TRACE(op + " of " + std::to_string(length));
            const auto count = static_cast<std::uint64_t>(3 * length);
            compare_reduction<T>(op, length, all, special ? values<T>(count) : numbers<T>(count));
          }
  }

  template <class T>
  void compare_reduction(const std::string& op, std::int64_t length, bool all, const std::vector<T>& x) {
    const std::string capsule = op + suffix<T>();
    Call call = native(capsule), reference(capsule);
    call.on(device()).offset(sizeof(T));
    for (Call* c : {&call, &reference}) {
      c->operand<T>({3, length}, x).template output<T>(all ? Extents{} : Extents{3});
      if (!all) c->integers("axes", {-1});
    }
    expect_same<T>(call, reference, 1);
  }
};
TENON_EVERY_VARIANT(NativeBits);

TEST_P(NativeBits, OfOperationsOnElementsInBinary32) { compare_every_same_shape<float>(); }
TEST_P(NativeBits, OfOperationsOnElementsInBinary64) { compare_every_same_shape<double>(); }
TEST_P(NativeBits, OfProductsInBinary32) { compare_products<float>(); }
TEST_P(NativeBits, OfProductsInBinary64) { compare_products<double>(); }
TEST_P(NativeBits, OfProductsOfSpecialValues) {
  compare_products_of_special_values<float>(), compare_products_of_special_values<double>();
}
TEST_P(NativeBits, OfSumsAlongTheLastAxis) { compare_reductions<float>(), compare_reductions<double>(); }

TEST_P(NativeBits, OfProductsOfBatchesThatRepeatAnOperand) {
  compare_matmul<float>({2, 1, 20, 40}, numbers<float>(1600), {3, 40, 50}, numbers<float>(6000), {2, 3, 20, 50});
  compare_matmul<double>({3, 20, 40}, numbers<double>(2400), {40, 50}, numbers<double>(2000), {3, 20, 50});
}

TEST_P(NativeBits, AProductIsRoundedBeforeItIsAdded) {
  const float near_one = 1 + 0x1p-12f, square = near_one * near_one;  // the exact square is a little more
  Call call = native("matmul.f32");
  call.on(device()).operand<float>({1, 2}, {-1, near_one}).operand<float>({2, 1}, {square, near_one});
  call.output<float>({1, 1});
  ASSERT_EQ(call.run(), TENON_OK) << TestHost::error;
  EXPECT_TRUE(same_bits(call.result<float>(), {0.0f}));
}

TEST(NativeCapsules, AreAllComparedWithTheReference) {
  for (const tenon_dtype type : {dtype_of<float>, dtype_of<double>})
    for (const tenon_capsule* capsule : native_capsules(type)) {
      const std::string op = capsule->op;
      const bool is_other = std::find(other_shapes.begin(), other_shapes.end(), op) != other_shapes.end();
      EXPECT_TRUE(same_shape.contains(op) || is_other) << capsule->name << " is not among this file's comparisons";
      const std::string name = capsule->name, twin = "cpu.reference" + name.substr(std::string("cpu.native").size());
      ASSERT_NE(find_capsule(twin), nullptr) << twin;
      EXPECT_GT(capsule->priority, find_capsule(twin)->priority) << name;
    }
}

}  // namespace
}  // namespace tenon::testing
