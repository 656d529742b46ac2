#include <cmath>
#include <numbers>

#include "case_list.h"
#include "host_walk.h"
#include "tenon/op_table.h"

namespace tenon {
namespace reference {
namespace {

/// Steele, Lea and Flood 2014: "Fast splittable pseudorandom number generators".
std::uint64_t splitmix64(std::uint64_t x) {
  std::uint64_t z = x + 0x9E3779B97F4A7C15U;
  z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9U;
  z = (z ^ z >> 27) * 0x94D049BB133111EBU;
  return z ^ z >> 31;
}

/// Draw i of a key, in [0, 1): the low half of the word, as a fraction.
double draw(std::uint64_t key, std::uint64_t i) {
  return static_cast<double>(splitmix64(key + i) & 0xFFFFFFFFU) / 4294967296.0;
}

/// Writes value(key, i) to element i.
template <class ValueOf>
void draw_each(ReferenceCall& c, ValueOf value) {
  std::vector<double>& out = c.outputs[0].values;
  for (std::size_t i = 0; i < out.size(); ++i) out[i] = value(c.scalars[0].u, i);
}

}  // namespace

void fill(ReferenceCall& c) { std::ranges::fill(c.outputs[0].values, std::get<Constant>(c.attributes).value); }

void rand_uniform(ReferenceCall& c) { draw_each(c, draw); }

void bernoulli_mask(ReferenceCall& c) {
  draw_each(c, [keep = std::get<Keep>(c.attributes).keep](std::uint64_t key, std::uint64_t i) {
    return draw(key, i) < keep ? 1.0 : 0.0;
  });
}

void init_uniform(ReferenceCall& c) {
  const Interval& a = std::get<Interval>(c.attributes);
  draw_each(c, [&](std::uint64_t key, std::uint64_t i) {
    const double x = a.low + draw(key, i) * (a.high - a.low);
    return x >= a.high && a.low < a.high ? std::nextafter(a.high, a.low) : x;  // the interval is half-open
  });
}

void init_normal(ReferenceCall& c) {
  const Gaussian& a = std::get<Gaussian>(c.attributes);
  draw_each(c, [&](std::uint64_t key, std::uint64_t i) {
    const double u1 = std::max(draw(key, 2 * i), 1e-6), u2 = draw(key, 2 * i + 1);
    return a.mean + a.std * (std::sqrt(-2 * std::log(u1)) * std::cos(2 * std::numbers::pi * u2));
  });
}

}  // namespace reference

namespace cases {
namespace {

/// Every usual shape with the attributes that make(shape) gives, drawn with some key.
template <class Make>
void append_usual(std::vector<Case>& out, Make make) {
  for (const Shape& shape : usual_shapes()) {
    out.push_back(drawn({}, make(shape)));
    out.back().scalars = {Scalar{.u = 0xFEDCBA9876543210U + out.size()}};
  }
}

}  // namespace

std::vector<Case> fill() {
  std::vector<Case> out;
  for (const double value : {0.0, 1.0, -2.5, infinity, not_a_number})
    append_usual(out, [&](const Shape& shape) { return Constant{shape, value}; });
  for (Case& c : out) c.scalars.clear();
  return out;
}

std::vector<Case> rand_uniform() {
  std::vector<Case> out;
  append_usual(out, [](const Shape& shape) { return Sized{shape}; });
  return out;
}

std::vector<Case> bernoulli_mask() {
  std::vector<Case> out;
  for (const double keep : {0.0, 0.3, 0.9, 1.0})
    append_usual(out, [&](const Shape& shape) { return Keep{shape, keep}; });
  return out;
}

std::vector<Case> init_uniform() {
  std::vector<Case> out;
  append_usual(out, [](const Shape& shape) { return Interval{.shape = shape}; });
  append_usual(out, [](const Shape& shape) { return Interval{shape, -0.25, 0.25}; });
  append_usual(out, [](const Shape& shape) { return Interval{shape, 3, 3}; });
  return out;
}

std::vector<Case> init_normal() {
  std::vector<Case> out;
  append_usual(out, [](const Shape& shape) { return Gaussian{.shape = shape}; });
  append_usual(out, [](const Shape& shape) { return Gaussian{shape, 0.5, 0.02}; });
  append_usual(out, [](const Shape& shape) { return Gaussian{shape, -1, 0}; });
  return out;
}

}  // namespace cases
}  // namespace tenon
