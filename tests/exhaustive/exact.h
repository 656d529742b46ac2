// The exact values that the elementary functions of binary32 are measured against.  A binary64 function of the C
// library decides wherever its value is not near the middle of two binary32 values; MPFR decides there.
//
// Ownership: ExactValue owns its two MPFR numbers.  Threads: an ExactValue belongs to one thread; all else is constant.
#pragma once

#include <mpfr.h>

#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <string_view>

#include "tenon/numerics.h"

namespace tenon::exhaustive {

struct Function {
  std::string_view name;
  float (*strict)(float);
  double (*approximate)(double);                 // the C library's
  double relative_error;                         // an ample bound of that one's error
  void (*exact)(mpfr_ptr value, mpfr_srcptr x);  // to the precision of `value`
};

inline double approximate_softplus(double x) { return x > 0 ? x + std::log1p(std::exp(-x)) : std::log1p(std::exp(x)); }

// Below 2^-60 the series x/2 + x^2/sqrt(2 pi) + ... is nudged off the tie at x/2 by hand: its second term, which
// decides the tie, is too small for binary64 to show.
inline double approximate_gelu(double x) {
  if (std::isinf(x)) return x > 0 ? x : -0.0;
  if (std::fabs(x) < 0x1p-60) return x * (x > 0 ? 0.5 + 0x1p-38 : 0.5 - 0x1p-38);
  return 0.5 * x * std::erfc(x * -0x1.6a09e667f3bcdp-1);
}

inline void exact_sigmoid(mpfr_ptr value, mpfr_srcptr x) {
  mpfr_neg(value, x, MPFR_RNDN);
  mpfr_exp(value, value, MPFR_RNDN);
  mpfr_add_ui(value, value, 1, MPFR_RNDN);
  mpfr_ui_div(value, 1, value, MPFR_RNDN);
}

inline void exact_softplus(mpfr_ptr value, mpfr_srcptr x) {
  mpfr_exp(value, x, MPFR_RNDN);
  mpfr_log1p(value, value, MPFR_RNDN);
}

inline void exact_gelu(mpfr_ptr value, mpfr_srcptr x) {
  mpfr_t argument;
  mpfr_init2(argument, mpfr_get_prec(value) + 32);
  mpfr_sqrt_ui(argument, 2, MPFR_RNDN);
  mpfr_div(argument, x, argument, MPFR_RNDN);
  mpfr_neg(argument, argument, MPFR_RNDN);
  mpfr_erfc(value, argument, MPFR_RNDN);
  mpfr_mul(value, value, x, MPFR_RNDN);
  mpfr_div_2ui(value, value, 1, MPFR_RNDN);
  mpfr_clear(argument);
}

// clang-format off
inline const std::array<Function, 9> kFunctions = {{
    {"exp", strict::exp, [](double x) { return std::exp(x); }, 0x1p-44,
     [](mpfr_ptr y, mpfr_srcptr x) { mpfr_exp(y, x, MPFR_RNDN); }},
    {"log", strict::log, [](double x) { return std::log(x); }, 0x1p-44,
     [](mpfr_ptr y, mpfr_srcptr x) { mpfr_log(y, x, MPFR_RNDN); }},
    {"sin", strict::sin, [](double x) { return std::sin(x); }, 0x1p-44,
     [](mpfr_ptr y, mpfr_srcptr x) { mpfr_sin(y, x, MPFR_RNDN); }},
    {"cos", strict::cos, [](double x) { return std::cos(x); }, 0x1p-44,
     [](mpfr_ptr y, mpfr_srcptr x) { mpfr_cos(y, x, MPFR_RNDN); }},
    {"tanh", strict::tanh, [](double x) { return std::tanh(x); }, 0x1p-44,
     [](mpfr_ptr y, mpfr_srcptr x) { mpfr_tanh(y, x, MPFR_RNDN); }},
    {"sigmoid", strict::sigmoid, [](double x) { return 1 / (1 + std::exp(-x)); }, 0x1p-44, exact_sigmoid},
    {"softplus", strict::softplus, approximate_softplus, 0x1p-44, exact_softplus},
    {"gelu", strict::gelu, approximate_gelu, 0x1p-40, exact_gelu},  // the error of erfc's argument counts x^2 times
    {"erf", strict::erf, [](double x) { return std::erf(x); }, 0x1p-44,
     [](mpfr_ptr y, mpfr_srcptr x) { mpfr_erf(y, x, MPFR_RNDN); }},
}};
// clang-format on

// A value to 200 bits, enough to tell any of these from the middle of two binary32 values.
class ExactValue {
 public:
  ExactValue() {
    mpfr_init2(x_, 53);
    mpfr_init2(value_, 200);
  }
  ~ExactValue() {
    mpfr_clear(x_);
    mpfr_clear(value_);
  }
  ExactValue(const ExactValue&) = delete;
  ExactValue& operator=(const ExactValue&) = delete;

  // The correctly rounded function(x).
  float nearest(const Function& function, float x) {
    mpfr_set_flt(x_, x, MPFR_RNDN);
    function.exact(value_, x_);
    return mpfr_get_flt(value_, MPFR_RNDN);
  }

  // How far the value asked for last lies from `point`.
  double distance_to(double point) {
    mpfr_sub_d(value_, value_, point, MPFR_RNDN);
    const double distance = mpfr_get_d(value_, MPFR_RNDN);
    mpfr_add_d(value_, value_, point, MPFR_RNDN);
    return std::fabs(distance);
  }

 private:
  mpfr_t x_;
  mpfr_t value_;
};

// Whether function(x) is so near to the middle of two binary32 values that its binary64 value cannot decide.
inline bool is_hard(const Function& function, float x, double value) {
  if (!std::isfinite(x) || std::isnan(value)) return false;
  const double error = function.relative_error;
  return static_cast<float>(value * (1 - error)) != static_cast<float>(value * (1 + error));
}

inline float nearest(const Function& function, float x, ExactValue& exact) {
  const double value = function.approximate(x);
  return is_hard(function, x, value) ? exact.nearest(function, x) : static_cast<float>(value);
}

inline bool same(float a, float b) {
  return (a != a && b != b) || std::bit_cast<std::uint32_t>(a) == std::bit_cast<std::uint32_t>(b);
}

}  // namespace tenon::exhaustive
