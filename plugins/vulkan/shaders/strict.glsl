// The strict functions, as sdk/include/tenon/strict defines them: binary64 + - * / and bit patterns, one operation
// after the other. Those of binary32 are correctly rounded, those of binary64 are their sequence. The decimal numbers
// are the shortest that stand for the hexadecimal ones of those headers.
#ifndef TENON_STRICT_GLSL
#define TENON_STRICT_GLSL

const uint64_t kSignBit = 0x8000000000000000ul;
const uint64_t kOneBits = 0x3ff0000000000000ul;

double magnitude(double x) { return from_bits(bits(x) & ~kSignBit); }
double with_sign_of(double non_negative, double sign) { return from_bits(bits(non_negative) | (bits(sign) & kSignBit)); }
// A NaN passes.
double clamp_number(double x, double low, double high) {
  x = x < low ? low : x;
  return high < x ? high : x;
}

// -- exponential --------------------------------------------------------------------------------------------

const double kRounder = 6755399441055744.0LF;
const double kLog2E = 1.4426950408889634LF;
const double kLn2High = 0.6931471805598903LF;
const double kLn2Low = 5.497923018708371e-14LF;

double exp_series(double r, double constant) {
  double r2 = r * r;
  double r4 = r2 * r2;
  double low = (constant + 0.16666666666666685LF * r) + (0.041666666666666546LF + 0.008333333333315998LF * r) * r2;
  double middle = (0.001388888888895643LF + 0.00019841269898500583LF * r) +
                  (2.4801587177836344e-05LF + 2.7557233055365254e-06LF * r) * r2;
  double high = (2.7557399088906144e-07LF + 2.5112587897782316e-08LF * r) + 2.087658694519532e-09LF * r2;
  return r2 * (low + r4 * (middle + r4 * high));
}
double exp_tail(double r) { return exp_series(r, 0.5); }

struct Ln2Reduction {
  double remainder, power;
};
Ln2Reduction reduce_by_ln2(double x) {
  double rounded = x * kLog2E + kRounder;
  double n = rounded - kRounder;
  return Ln2Reduction((x - n * kLn2High) - n * kLn2Low, from_bits(kOneBits + (bits(rounded) << 52)));
}
double exp_unrounded(double x) {
  Ln2Reduction reduced = reduce_by_ln2(x);
  return (1 + (reduced.remainder + exp_tail(reduced.remainder))) * reduced.power;
}
struct ExpAndExpm1 {
  double e, expm1;
};
ExpAndExpm1 exp_and_expm1(double x) {
  Ln2Reduction reduced = reduce_by_ln2(x);
  double scaled = reduced.power * (reduced.remainder + exp_tail(reduced.remainder));
  return ExpAndExpm1(reduced.power + scaled, (reduced.power - 1) + scaled);
}

// -- logarithm ----------------------------------------------------------------------------------------------

double log_series(double s) {
  double s2 = s * s;
  double p = 0.14795814052483444LF;
  p = p * s2 + 0.15314069368807215LF;
  p = p * s2 + 0.18183563347461543LF;
  p = p * s2 + 0.22222198597765133LF;
  p = p * s2 + 0.28571428742075433LF;
  p = p * s2 + 0.3999999999941654LF;
  p = p * s2 + 0.6666666666666734LF;
  return p * s2;
}
double log_tail(double f) {
  double s = f / (2 + f);
  return s * (f - log_series(s));
}
struct Sum {
  double high, low;
};
struct Decomposed {
  double exponent, f;
};
Decomposed decompose(double x) {
  const uint64_t kSqrtHalfBits = 0x3fe6a09e667f3bcdul;
  const uint64_t kTwoBits = 0x4000000000000000ul;
  const uint64_t kTwo52Bits = 0x4330000000000000ul;
  uint64_t biased = (bits(x) + (kTwoBits - kSqrtHalfBits)) >> 52;
  double significand = from_bits(bits(x) - (biased << 52) + kTwoBits);
  return Decomposed(from_bits(biased | kTwo52Bits) - 4503599627371520.0LF, significand - 1);
}
Sum log_as_sum(double x) {
  Decomposed parts = decompose(x);
  double multiple = parts.exponent * kLn2High;
  double high = multiple + parts.f;
  double lost = parts.f - (high - multiple);
  return Sum(high, lost + (parts.exponent * kLn2Low - log_tail(parts.f)));
}
double round_for_binary32(Sum exact) {
  double sum = exact.high + exact.low;
  if ((bits(sum) & 0x1ffffffful) != 0x10000000ul) return sum;
  double missing = exact.low - (sum - exact.high);
  double direction = missing * sum;
  return from_bits((bits(sum) - (direction < 0 ? 1ul : 0ul)) | (0 < magnitude(direction) ? 1ul : 0ul));
}
double log_unrounded(double x) {
  if (!(x < kInfinity)) return x + x;
  if (x == 0) return -kInfinity;
  if (x < 0) return kNaN;
  return round_for_binary32(log_as_sum(x));
}

// -- tanh, sigmoid, softplus, gelu of binary32 --------------------------------------------------------------

double tanh_unrounded(double x) {
  double y = clamp_number(magnitude(x), 0, 10);
  double t = exp_and_expm1(y + y).expm1;
  return with_sign_of(t / (t + 2), x);
}
double sigmoid_unrounded(double x) {
  double y = clamp_number(magnitude(x), 0, 104.5);
  ExpAndExpm1 e = exp_and_expm1(0 - y);
  bool near_zero = y < 1;
  bool negative = x < 0;
  double numerator = near_zero ? e.expm1 * (negative ? 0.5 : -0.5) : (negative ? e.e : 1);
  return round_for_binary32(Sum(near_zero ? 0.5 : 0.0, numerator / (1 + e.e)));
}
double softplus_unrounded(double x) {
  ExpAndExpm1 e = exp_and_expm1(0 - clamp_number(magnitude(x), 0, 105));
  bool near_zero = 0.41421356237309503LF < e.e;
  double f = near_zero ? e.expm1 * 0.5 : e.e;
  double positive = 0 < x ? x : 0;
  double logarithm = f - (log_tail(f) - (near_zero ? kLn2Low : 0));
  return round_for_binary32(Sum(near_zero ? kLn2High : positive, near_zero ? positive + logarithm : logarithm));
}
double normal_tail_numerator(double t) {
  const double kCoefficients[21] = double[21](
      0.769193049750063LF, -0.665382502890057LF, 0.4953056159699738LF, -0.31353315667127274LF,
      0.16502036617051713LF, -0.0691186387074742LF, 0.02079506679658654LF, -0.0029933767510770455LF,
      -0.00079786934970968LF, 0.0005448988934231256LF, -5.937618249038997e-05LF, -4.976201463142871e-05LF,
      1.668386741210851e-05LF, 3.979435098688654e-06LF, -2.7784492778815397e-06LF, -3.3922900409167923e-07LF,
      4.4929726448870144e-07LF, 5.80877843326011e-08LF, -7.290592322243228e-08LF, -2.8202552900911708e-08LF,
      -3.014179075511116e-09LF);
  double value = kCoefficients[20];
  for (int power = 19; power >= 0; --power) value = value * t + kCoefficients[power];
  return value;
}
double gelu_unrounded(double x) {
  double y = clamp_number(magnitude(x), 9.094947017729282e-13LF, 15);
  double inverse = 1 / (y + 5);
  double numerator = normal_tail_numerator((y - 5) * inverse);
  double exponent = y * y * -0.5;
  double tail = exp_unrounded(exponent) * (numerator * inverse);
  double lower = clamp_number(x, -15, 15) * tail;
  return 0 < x ? x - lower : lower;
}

float strict_exp(float x) { return float(exp_unrounded(clamp_number(double(x), -104, 89))); }
float strict_log(float x) { return float(log_unrounded(double(x))); }
float strict_tanh(float x) { return float(tanh_unrounded(double(x))); }
float strict_sigmoid(float x) { return float(sigmoid_unrounded(double(x))); }
float strict_softplus(float x) { return float(softplus_unrounded(double(x))); }
float strict_gelu(float x) { return float(gelu_unrounded(double(x))); }

// -- sine and cosine of binary32 ----------------------------------------------------------------------------

const double kTwoOverPi = 0.6366197723675814LF;

struct Angle {
  double high, low;
  uint64_t quarters;
};
Angle reduce_small_angle(double x) {
  double rounded = x * kTwoOverPi + kRounder;
  double n = rounded - kRounder;
  double exact = (x - n * 1.5707963109016418LF) - n * 1.5893254712295857e-08LF;
  double rest = n * 6.123233995736766e-17LF;
  double high = exact - rest;
  return Angle(high, (exact - high) - rest, bits(rounded));
}
uint64_t two_over_pi_word(uint bit) {
  const uint kWords[9] = uint[9](0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u,
                                 0x3c439041u, 0xfe5163abu, 0xdebbc561u);
  uint64_t two = uint64_t(kWords[bit / 32u]) << 32 | uint64_t(kWords[bit / 32u + 1u]);
  return two << (bit % 32u) >> 32;
}
Angle reduce_large_angle(double x) {
  uint64_t pattern = bits(x) & ~kSignBit;
  uint exponent = uint(pattern >> 52) - (1023u + 23u);
  uint64_t m = ((pattern & 0xffffffffffffful) | 0x10000000000000ul) >> 29;
  uint first = exponent + 32u - 2u;
  uint64_t low_product = m * two_over_pi_word(first + 64u);
  uint64_t middle_product = m * two_over_pi_word(first + 32u) + (low_product >> 32);
  uint64_t turns = (m * two_over_pi_word(first) + (middle_product >> 32)) << 32 | (middle_product & 0xfffffffful);
  uint64_t quarters = (turns + (1ul << 61)) >> 62;
  int64_t fraction = int64_t(turns - (quarters << 62));

  double coarse = double(fraction >> 30) * 2.3283064365386963e-10LF;
  double below = double(low_product & 0xfffffffful) * 2.3283064365386963e-10LF;
  double fine = (double(fraction & 0x3fffffffl) + below) * 2.168404344971009e-19LF;
  double product = coarse * 1.570796012878418LF;
  double rest = coarse * 3.139164786504813e-07LF + fine * 1.5707963267948966LF;
  double high = product + rest;
  double low = rest - (high - product);
  if (x < 0) return Angle(-high, -low, 0ul - quarters);
  return Angle(high, low, quarters);
}
Angle reduce_angle(double x) {
  double y = magnitude(x);
  if (268435456.0LF <= y && y < kInfinity) return reduce_large_angle(x);
  return reduce_small_angle(x);
}
Sum unsigned_sine(Angle angle) {
  double r = angle.high;
  double r2 = r * r;
  if ((angle.quarters & 1ul) == 0ul) {
    double p = 1.5895433237089026e-10LF;
    p = p * r2 + -2.5050734387203117e-08LF;
    p = p * r2 + 2.7557313538498106e-06LF;
    p = p * r2 + -0.00019841269829358495LF;
    p = p * r2 + 0.00833333333332184LF;
    p = p * r2 + -0.1666666666666663LF;
    return Sum(r, (r * r2) * p + (angle.low - angle.low * (r2 * 0.5)));
  }
  double p = -1.1358747747937378e-11LF;
  p = p * r2 + 2.0875705397418224e-09LF;
  p = p * r2 + -2.7557314217258856e-07LF;
  p = p * r2 + 2.480158728900339e-05LF;
  p = p * r2 + -0.0013888888888873344LF;
  p = p * r2 + 0.041666666666666595LF;
  double half_square = r2 * 0.5;
  double high = 1 - half_square;
  return Sum(high, ((1 - high) - half_square) + ((r2 * r2) * p - r * angle.low));
}
double apply_quarter_sign(double x, uint64_t quarters) { return from_bits(bits(x) ^ (quarters & 2ul) << 62); }
double sine_unrounded(Angle angle) {
  return apply_quarter_sign(round_for_binary32(unsigned_sine(angle)), angle.quarters);
}
float strict_sin(float x) {
  if (magnitude(double(x)) < 7.888609052210118e-31LF) return x;
  return float(sine_unrounded(reduce_angle(double(x))));
}
float strict_cos(float x) {
  Angle angle = reduce_angle(double(x));
  angle.quarters += 1ul;
  return float(sine_unrounded(angle));
}

#include "strict64.glsl"

#endif
