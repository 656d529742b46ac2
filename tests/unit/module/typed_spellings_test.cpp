// The shorter spellings of operations, over typed tensors and plain Values.
#include <gtest/gtest.h>

#include "tenon/typed_ops.h"
#include "typed_leaf.h"

namespace tenon {
namespace {

using test::leaf;

template <class A, class B>
inline constexpr bool same = std::same_as<A, B>;

Value real(Graph& graph, const Shape& shape) { return graph.leaf({Kind::real, shape}); }
Value natural(Graph& graph, const Shape& shape) { return graph.leaf({Kind::natural, shape}); }

TEST(TypedSpellings, OfLayout) {
  Graph typed, plain;
  {
    const auto x = leaf<Tensor<batch, 4, 6>>(typed, {2, 4, 6});
    static_assert(same<decltype(flatten(x)), Tensor<batch, 24>> && same<decltype(flatten<0, 1>(x)), Tensor<dyn, 6>>);
    const auto parts = unflatten<-1, 3, dyn>(flatten<1>(x));
    static_assert(same<decltype(parts), const Tensor<batch, 3, 8>>);
    const auto three = concat<-1>(parts, slice<2, 0, 5>(parts), slice<2, -1>(parts));
    static_assert(same<decltype(three), const Tensor<batch, 3, 14>>);
  }
  const Value parts = unflatten(flatten(real(plain, {2, 4, 6}), Range{1, -1}), Split{-1, Shape{3, dyn}});
  // The compiler leaves open which argument is recorded first: gcc takes the last one.
  const Value first = slice(parts, Slice{2, 0, 5}), second = slice(parts, Slice{2, -1});
  EXPECT_EQ(plain.shape(concat(concat(parts, first, Axis{-1}), second, Axis{-1})), (Shape{2, 3, 14}));
  EXPECT_TRUE(typed.status());
  EXPECT_EQ(typed.nodes().size(), plain.nodes().size());
  EXPECT_EQ(typed.nodes().back().attributes, plain.nodes().back().attributes);
}

TEST(TypedSpellings, OfIndexing) {
  Graph typed, plain;
  {
    const auto table = leaf<Tensor<9, 4>>(typed);
    const auto ids = leaf<Naturals<batch, 5>>(typed, {2, 5});
    const auto rows = gather(table, ids);
    static_assert(same<decltype(rows), const Tensor<batch, 5, 4>>);
    static_assert(same<decltype(gather<1>(table, ids)), Tensor<9, batch, 5>>);
    static_assert(same<decltype(scatter_add<0>(table, rows, ids)), Tensor<9, 4>>);
    gather<1>(table, ids);
    scatter_add<0>(table, rows, ids);
  }
  const Value table = real(plain, {9, 4}), ids = natural(plain, {2, 5});
  const Value rows = gather(table, ids);
  gather(table, ids, Axis{1});
  scatter_add(table, rows, ids, Axis{0});
  EXPECT_EQ(to_string(typed), to_string(plain));
}

TEST(TypedSpellings, OfImages) {
  Graph typed, plain;
  {
    const auto x = leaf<Tensor<batch, 2, 9, 9>>(typed, {3, 2, 9, 9});
    const auto weight = leaf<Tensor<4, 1, 3, 3>>(typed);
    const auto bias = leaf<Tensor<4>>(typed);
    const auto y = conv2d<Square{.stride = 2, .padding = 1, .groups = 2}>(x, weight, bias);
    static_assert(same<decltype(y), const Tensor<batch, 4, 5, 5>>);
    static_assert(same<decltype(max_pool2d<Square{.kernel = 2}>(y)), Tensor<batch, 4, 2, 2>>);
    const auto pooled = avg_pool2d<Pool{.kernel = {2, 3}, .stride = {1, 1}}>(y);
    static_assert(same<decltype(pooled), const Tensor<batch, 4, 4, 3>>);
    max_pool2d<Square{.kernel = 2, .stride = 1}>(y);
  }
  const Value x = real(plain, {3, 2, 9, 9}), weight = real(plain, {4, 1, 3, 3}), bias = real(plain, Shape{4});
  const Value y = conv(x, weight, bias, Window{.stride = {2, 2}, .padding = {1, 1}, .groups = 2});
  avg_pool(y, Pool{.kernel = {2, 3}, .stride = {1, 1}});
  max_pool(y, Pool{.kernel = {2, 2}, .stride = {1, 1}});
  EXPECT_EQ(to_string(typed), to_string(plain));
}

TEST(TypedSpellings, OfASquareWithoutNumbersAreThoseOfTheOperation) {
  static_assert(window_of<2>(Square{}) == Window{} && pool_of<2>(Square{.kernel = 3}) == Pool{.kernel = {3, 3}});
  static_assert(window_of<1>(Square{.dilation = 2}) == Window{.dilation = Shape(2)});
  Graph graph;
  const auto x = leaf<Tensor<1, 2, 4, 4>>(graph);
  const auto weight = leaf<Tensor<2, 3, 2, 2>>(graph);
  const auto bias = leaf<Tensor<3>>(graph);
  static_assert(same<decltype(conv_transpose2d(x, weight, bias)), Tensor<1, 3, 5, 5>>);
  static_assert(same<decltype(conv_transpose2d<Square{.stride = 2}>(x, weight, bias)), Tensor<1, 3, 8, 8>>);
}

TEST(TypedSpellings, ServePlainValues) {
  Graph graph;
  const Value x = real(graph, {2, 1, 6, 6}), weight = real(graph, {3, 1, 3, 3}), bias = real(graph, Shape{3});
  const auto y = conv2d<Square{.padding = 1}>(x, weight, bias);
  static_assert(same<decltype(y), const Value>);
  EXPECT_EQ(graph.shape(y), (Shape{2, 3, 6, 6}));
  EXPECT_EQ(graph.shape(max_pool2d<Square{.kernel = 2}>(y)), (Shape{2, 3, 3, 3}));
  EXPECT_EQ(graph.shape(flatten<2>(y)), (Shape{2, 3, 36}));
  EXPECT_EQ(graph.shape(unflatten<-1, 2, dyn>(y)), (Shape{2, 3, 6, 2, 3}));
  EXPECT_EQ(graph.shape(concat<1>(y, y, x)), (Shape{2, 7, 6, 6}));
  EXPECT_EQ(graph.shape(slice<1, 1>(y)), (Shape{2, 2, 6, 6}));
  EXPECT_EQ(graph.shape(gather<2>(y, natural(graph, Shape{4}))), (Shape{2, 3, 4, 6}));
  EXPECT_EQ(graph.shape(reduce_mean<0, 2, 3>(y)), (Shape{3}));
  EXPECT_EQ(graph.shape(reduce_sum<Axes{Shape{0}, true}>(y)), (Shape{1, 3, 6, 6}));
  EXPECT_EQ(graph.shape(permute<0, 2, 3, 1>(reshape<2, 3, 9, dyn>(y))), (Shape{2, 9, 4, 3}));
  EXPECT_TRUE(graph.status());
}

TEST(TypedSpellings, AcceptPoison) {
  const Poison poison;
  static_assert(same<decltype(flatten<1>(poison)), Poison> && same<decltype(slice<0, 1>(poison)), Poison>);
  static_assert(same<decltype(concat<0>(poison, Tensor<2>(), Tensor<2>())), Poison>);
  static_assert(same<decltype(conv2d<Square{}>(poison, Tensor<2, 3, 1, 1>(), Tensor<2>())), Poison>);
  static_assert(same<decltype(max_pool2d<Square{.kernel = 2}>(poison)), Poison>);
}

}  // namespace
}  // namespace tenon
