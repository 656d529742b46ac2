#include <cmath>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/gradient_helpers.h"
#include "tenon/op_table.h"

namespace tenon {
namespace {

/// The shape of x with each reduced axis of extent 1.
Shape kept_shape(const Shape& x, const Attributes& attributes) {
  Message why;
  const auto reduced = rule::reduced_axes(std::get<Axes>(attributes).axes, x.rank, why);
  return rule::without_axes(x, reduced.value_or(0), true);
}

double elements_per_result(const Shape& x, const Attributes& attributes) {
  double product = 1;
  const Shape kept = kept_shape(x, attributes);
  for (int axis = 0; axis < x.rank; ++axis) product *= kept[axis] == x[axis] ? 1 : static_cast<double>(x[axis]);
  return product;
}

}  // namespace

namespace gradient {
namespace {

Value repeated(const GradientCall& c, Value upstream) {
  const Shape x = c.output.recorder->shape(c.operands[0]);
  const Value kept = reshape_to(upstream, kept_shape(x, c.attributes));
  return kept_shape(x, c.attributes) == x ? kept : broadcast(kept, Target{x});
}

}  // namespace

void reduce_sum(GradientCall& c) { c.gradient[0] = repeated(c, c.upstream); }

void reduce_mean(GradientCall& c) {
  const double count = elements_per_result(c.output.recorder->shape(c.operands[0]), c.attributes);
  c.gradient[0] = repeated(c, scale(c.upstream, Factor{1 / count}));
}

void reduce_max(GradientCall& c) {
  c.gradient[0] = reduce_max_grad(c.operands[0], c.output, c.upstream, std::get<Axes>(c.attributes));
}

}  // namespace gradient

namespace reference {
namespace {

/// Calls visit(x's position, its result's position) for each element of x.
template <class Visit>
void for_each_element(const ReferenceCall& c, Visit visit) {
  const Shape &x = c.operands[0].shape, kept = kept_shape(x, c.attributes);
  for_each_index(x, [&](const Index& index, std::size_t i) { visit(i, position(kept, index, x.rank)); });
}

}  // namespace

void reduce_sum(ReferenceCall& c) {
  std::vector<double>& sum = c.outputs[0].values;
  std::ranges::fill(sum, 0.0);
  for_each_element(c, [&](std::size_t i, std::size_t result) { sum[result] += c.operands[0].values[i]; });
}

void reduce_mean(ReferenceCall& c) {
  reduce_sum(c);
  for (double& mean : c.outputs[0].values) mean /= elements_per_result(c.operands[0].shape, c.attributes);
}

void reduce_max(ReferenceCall& c) {
  std::vector<double>& greatest = c.outputs[0].values;
  std::ranges::fill(greatest, -infinity);
  for_each_element(c, [&](std::size_t i, std::size_t result) {
    const double x = c.operands[0].values[i];
    if (std::isnan(x) || x > greatest[result]) greatest[result] = x;
  });
}

void reduce_max_grad(ReferenceCall& c) {
  const std::vector<double>&x = c.operands[0].values, &y = c.operands[1].values, &upstream = c.operands[2].values;
  std::vector<double> winners(y.size());
  for_each_element(c, [&](std::size_t i, std::size_t result) { winners[result] += x[i] == y[result] ? 1 : 0; });
  for_each_element(c, [&](std::size_t i, std::size_t result) {
    c.outputs[0].values[i] = x[i] == y[result] ? upstream[result] / winners[result] : 0;
  });
}

}  // namespace reference

namespace cases {
namespace {

/// binary32 sums of thousands of elements around 1 are some tens in magnitude, with as many roundings as a lane is
/// long.
Case reduced(const Shape& x, const Axes& axes) {
  Case c = drawn({x}, axes);
  c.tolerance = elements_per_result(x, axes) > 1000 ? 2e-4 : 2e-5;
  return c;
}

std::vector<Case> common() {
  std::vector<Case> out = {reduced(Shape{}, {}),
                           reduced({2, 3, 4}, {}),
                           reduced({2, 3, 4}, {{}, true}),
                           reduced({2, 3, 4}, {{0, 2}}),
                           reduced({2, 3, 4}, {{2, 0}, true}),
                           reduced({2, 3, 4}, {{1, -1}}),
                           reduced({0, 3}, {Shape{1}}),
                           reduced(Shape{1}, {}),
                           reduced(Shape{17}, {}),
                           reduced(Shape{4096}, {}),
                           reduced(Shape{4097}, {}),
                           reduced(Shape{8209}, {}),
                           reduced({3, 4099}, {Shape{1}}),
                           reduced({4099, 3}, {Shape{0}}),
                           reduced({2, 2, 2, 2, 2, 2, 2, 3}, {{1, 3, 5, 7}}),
                           reduced({65, 67}, {Shape{0}, true}),
                           reduced({65, 3, 67}, {{0, 2}})};
  for (const Extent axis : {0, 1, 2, -1, -3})
    for (const bool keep : {false, true}) out.push_back(reduced({2, 3, 4}, {Shape{axis}, keep}));
  return out;
}

Case special(std::string name, std::vector<double> values) {
  Case c = given(std::move(name), {std::move(values)});
  c.attributes = Axes{};
  return c;
}

std::vector<Case> with_specials() {
  std::vector<Case> out = common();
  out.push_back(special("NaN", {1, not_a_number, 3}));
  out.push_back(special("infinity", {1, infinity, 3}));
  out.push_back(special("minus infinity", {-infinity, -infinity}));
  out.push_back(special("ties", {2, 1, 2, 2}));
  return out;
}

/// Sums and means of no elements.
std::vector<Case> with_nothing() {
  std::vector<Case> out = with_specials();
  for (Case c :
       {reduced(Shape{0}, {}), reduced({3, 0}, {Shape{1}}), reduced({0, 3}, {}), reduced({0, 3}, {Shape{0}, true})}) {
    c.check_gradient = false;
    out.push_back(c);
  }
  return out;
}

/// x takes a few values over and over, so that most maxima are shared.
Case tied(const Shape& x, const Axes& axes) {
  Message why;
  const Shape result = rule::reduce_max({&x, 1}, axes, why);
  Case c = drawn({x, result, result}, axes);
  HostArray values{x, std::vector<double>(count(x))}, greatest{result, std::vector<double>(count(result))};
  for (std::size_t i = 0; i < values.values.size(); ++i) values.values[i] = static_cast<double>(i * 7 % 5) / 2 - 1;
  const Attributes attributes = axes;
  ReferenceCall call{{&values, 1}, {}, attributes, {&greatest, 1}};
  reference::reduce_max(call);
  c.values = {values.values, greatest.values, {}};
  return c;
}

}  // namespace

std::vector<Case> reduce_sum() { return with_nothing(); }
std::vector<Case> reduce_mean() { return with_nothing(); }
std::vector<Case> reduce_max() { return with_specials(); }

std::vector<Case> reduce_max_grad() {
  std::vector<Case> out;
  for (const Case& c : common()) out.push_back(tied(c.operands[0], std::get<Axes>(c.attributes)));
  return out;
}

}  // namespace cases
}  // namespace tenon
