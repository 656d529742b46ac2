#include <gtest/gtest.h>

#include <sstream>

#include "tenon/layers.h"
#include "tenon/tensor_pack.h"

namespace tenon {
namespace {

template <class T>
std::string printed(const T& value) {
  std::ostringstream out;
  out << value;
  return out.str();
}

TEST(HostTensor, FillsItsUnknownExtent) {
  const auto t = HostTensor<double, batch, 2>::of({0, 1, 2, 3, 4, 5});
  ASSERT_TRUE(t);
  EXPECT_EQ(t->shape(), (Shape{3, 2}));
  EXPECT_EQ((*t)(2, 1), 5);
  EXPECT_EQ(t->values()[3], 3);
  EXPECT_TRUE((HostTensor<float, dyn, 3>::of(std::vector<float>{})));
}

TEST(HostTensor, RefusesAnotherNumberOfElements) {
  EXPECT_EQ((HostTensor<float, batch, 2>::of({1, 2, 3})).error().text,
            "[host_tensor] 3 elements do not fill (batch, 2)");
  EXPECT_EQ((HostTensor<float, 2, 2>::of({1, 2, 3})).error().text, "[host_tensor] 3 elements do not fill (2, 2)");
  EXPECT_EQ((HostTensor<float, batch, dyn>::of({1})).error().text,
            "[host_tensor] 1 elements do not fill (batch, dyn): several extents are unknown");
}

TEST(HostTensor, SaysWhatToUseWhereElementsLeaveAnExtentOpen) {
  const auto none = HostTensor<float, batch, 0>::of({});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().text, "[host_tensor] 0 elements do not fill (batch, 0): any extent would do");
  EXPECT_EQ(none.error().hint, "give the shape too: of_shape");
  EXPECT_TRUE((HostTensor<float, batch, 0>::of_shape({5, 0}, {})));
  EXPECT_EQ((HostTensor<float, batch, dyn>::of({1})).error().hint, "give the shape too: of_shape");
  EXPECT_EQ((HostTensor<float, dyn, 0>::of({1})).error().text, "[host_tensor] 1 elements do not fill (dyn, 0)");
  EXPECT_EQ((HostTensor<float, dyn, 0>::of({1})).error().hint, "");
  EXPECT_EQ((HostTensor<float, batch, 2>::of({1})).error().hint, "");
}

TEST(HostTensor, TakesAShapeWhereSeveralExtentsAreUnknown) {
  using Square = HostTensor<float, batch, dyn, batch>;
  const auto t = Square::of_shape({2, 1, 2}, {1, 2, 3, 4});
  ASSERT_TRUE(t);
  EXPECT_EQ((*t)(1, 0, 0), 3);
  EXPECT_EQ(Square::of_shape({2, 1, 1}, {1, 2}).error().text,
            "[host_tensor] found shape (2, 1, 1), expected (batch, dyn, batch)");
  EXPECT_EQ(Square::of_shape({2, 1, 2}, {1, 2}).error().text,
            "[host_tensor] found 2 elements, expected 4 for (2, 1, 2)");
  EXPECT_EQ(Square::of_shape({-2, 1, -2}, {1, 2}).error().text,
            "[host_tensor] found shape (-2, 1, -2), expected (batch, dyn, batch)");
}

TEST(HostTensor, ChecksThatNaturalNumbersFit) {
  const auto t = HostTensor<Natural, batch>::of(std::vector<std::uint64_t>{0, 4294967295});
  ASSERT_TRUE(t);
  EXPECT_EQ((*t)(1), 4294967295U);
  EXPECT_EQ((HostTensor<Natural, batch>::of(std::vector<std::uint64_t>{4294967296})).error().text,
            "[host_tensor] found 4294967296, expected a natural number of at most 4294967295");
  EXPECT_EQ((HostTensor<Natural, batch>::of(std::vector<int>{-1})).error().text,
            "[host_tensor] found -1, expected a natural number of at most 4294967295");
  EXPECT_EQ(*nat_to_u32_checked("labels", std::uint64_t{7}), 7U);
  EXPECT_EQ(nat_to_u32_checked("labels", std::uint64_t{1} << 40).error().text,
            "[labels] found 1099511627776, expected a natural number of at most 4294967295");
}

TEST(HostTensor, EqualsItsLike) {
  const auto a = *HostTensor<float, batch, 2>::of({1, 2}), b = *HostTensor<float, batch, 2>::of({1, 3});
  EXPECT_EQ(a, a);
  EXPECT_NE(a, b);
  EXPECT_NE(a, (*HostTensor<float, batch, 2>::of({1, 2, 1, 2})));
}

TEST(HostTensor, PrintsItsShapeAndElements) {
  EXPECT_EQ(printed(*HostTensor<float, 2, 2>::of({0, 0.1F, -1, 2e30F})), "(2, 2) [[0, 0.1], [-1, 2e+30]]");
  EXPECT_EQ(printed(*HostTensor<Natural, batch>::of({3, 4})), "(2) [3, 4]");
  EXPECT_EQ(printed(*HostTensor<double>::of({2.5})), "() 2.5");
  EXPECT_EQ(printed(*HostTensor<double, 0, 3>::of({})), "(0, 3) []");
}

TEST(HostTensor, PrintsOnlyTheEndsOfLongAxes) {
  std::vector<double> values(200);
  for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<double>(i);
  EXPECT_EQ(printed(*HostTensor<double, 2, batch>::of(values)),
            "(2, 100) [[0, 1, 2, ..., 97, 98, 99], [100, 101, 102, ..., 197, 198, 199]]");
}

TEST(HostTensor, IsCastWithOneRounding) {
  const auto t = *HostTensor<double, 2>::of({0.1, 1});
  EXPECT_EQ(cast_tensor<float>(t), (*HostTensor<float, 2>::of({0.1F, 1})));
  EXPECT_EQ(cast_tensor<double>(cast_tensor<float>(t))(0), static_cast<double>(0.1F));
}

TEST(HostTensor, HoldsTheValuesOfAnInitializer) {
  const auto t = host_tensor_of<float, Shape{2, 3}>(init::Uniform{-1, 1, 5});
  ASSERT_TRUE(t);
  EXPECT_EQ((*t)(1, 2), static_cast<float>(sample_at(init::Uniform{-1, 1, 5}, 5)));
  EXPECT_FALSE((host_tensor_of<float, Shape{2}>(init::Flat{{1}})));
}

struct Net {
  Linear<2, 3> fc1;
};
using Params = ParamsOf<Net>;

TEST(TensorPack, FindsTensorsByName) {
  auto pack = zero_pack<float, Params>();
  pack.set("fc1.bias"_p, *HostTensor<float, 3>::of({1, 2, 3}));
  const auto bias = pack["fc1.bias"_p];
  static_assert(std::same_as<decltype(bias), const HostTensor<float, 3>>);
  EXPECT_EQ(bias(2), 3);
  EXPECT_EQ(pack["fc1.weight"_p].shape(), (Shape{3, 2}));
  EXPECT_EQ(pack.arrays()[1][1], 2);
  EXPECT_NE(pack, (zero_pack<float, Params>()));
}

TEST(TensorPack, RefusesArraysOfOtherSizes) {
  auto arrays = zero_pack<double, Params>().arrays();
  arrays[1].push_back(0);
  const auto pack = TensorPack<double, Params>::of_arrays(arrays);
  ASSERT_FALSE(pack);
  EXPECT_EQ(pack.error().text, "[parameters] parameter 1 fc1.bias (3): found 4 elements, expected 3");
}

TEST(TensorPack, IsWrittenToButKeepsItsSizes) {
  auto pack = zero_pack<double, Params>();
  static_assert(std::same_as<decltype(pack.arrays()), std::array<std::span<double>, 2>>);
  static_assert(std::same_as<decltype(std::as_const(pack).arrays()), const TensorPack<double, Params>::Arrays&>);
  pack.arrays()[0][5] = 7;
  EXPECT_EQ(pack["fc1.weight"_p](2, 1), 7);
}

TEST(TensorPack, IsCastWithOneRounding) {
  auto pack = zero_pack<double, Params>();
  pack.arrays()[1][0] = 0.1;
  EXPECT_EQ(cast_pack<float>(pack)["fc1.bias"_p](0), 0.1F);
}

}  // namespace
}  // namespace tenon
