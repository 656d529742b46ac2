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

// -- binary64 -----------------------------------------------------------------------------------------------

double power_of_two(int exponent) { return from_bits(uint64_t(1023 + exponent) << 52); }
double scale_by_power(double x, int exponent) {
  int first = exponent >> 1;
  return x * power_of_two(first) * power_of_two(exponent - first);
}
struct ScaledSum {
  Sum sum;
  int exponent;
};
ScaledSum exp_as_sum(double x) {
  double rounded = x * kLog2E + kRounder;
  double n = rounded - kRounder;
  double exact = x - n * kLn2High;
  double rest_of_ln2 = n * kLn2Low;
  double r = exact - rest_of_ln2;
  double r_low = (exact - r) - rest_of_ln2;

  double half_square = 0.5 * r * r;
  double linear = 1 + r;
  double lost_by_linear = r - (linear - 1);
  double quadratic = linear + half_square;
  double lost_by_quadratic = half_square - (quadratic - linear);
  double rest = exp_series(r, 0) + ((lost_by_linear + lost_by_quadratic) + r_low * linear);

  double sum = quadratic + rest;
  return ScaledSum(Sum(sum, rest - (sum - quadratic)), int(uint(bits(rounded))));
}
double product_error(double a, double b, double product) {
  const double kSplitter = 134217729.0LF;
  double a_shifted = a * kSplitter;
  double b_shifted = b * kSplitter;
  double a_high = a_shifted - (a_shifted - a);
  double b_high = b_shifted - (b_shifted - b);
  double a_low = a - a_high;
  double b_low = b - b_high;
  return a_low * b_low - (((product - a_high * b_high) - a_low * b_high) - a_high * b_low);
}
double divide_sums(Sum numerator, Sum denominator) {
  double quotient = numerator.high / denominator.high;
  double product = quotient * denominator.high;
  double remainder = (numerator.high - product) - product_error(quotient, denominator.high, product);
  return quotient + ((remainder + numerator.low) - quotient * denominator.low) / denominator.high;
}
double log_of(Decomposed x) {
  double s = x.f / (2 + x.f);
  double half_square = 0.5 * x.f * x.f;
  double multiple = x.exponent * kLn2High;
  double linear = multiple + x.f;
  double lost_by_linear = x.f - (linear - multiple);
  double quadratic = linear - half_square;
  double lost_by_quadratic = (linear - quadratic) - half_square;
  double rest = x.exponent * kLn2Low + s * (half_square + log_series(s));
  return quadratic + ((lost_by_linear + lost_by_quadratic) + rest);
}

double strict_exp(double x) {
  ScaledSum e = exp_as_sum(clamp_number(x, -746, 710));
  return scale_by_power(e.sum.high, e.exponent);
}
double strict_log(double x) {
  if (!(x < kInfinity)) return x + x;
  if (x == 0) return -kInfinity;
  if (x < 0) return kNaN;
  if (x < 2.2250738585072014e-308LF) {
    Decomposed shifted = decompose(x * 1.8014398509481984e+16LF);
    return log_of(Decomposed(shifted.exponent - 54, shifted.f));
  }
  return log_of(decompose(x));
}
double strict_tanh(double x) {
  double y = magnitude(x);
  if (y < 3.725290298461914e-09LF) return x;
  double clamped = clamp_number(y, 0, 22);
  ScaledSum e = exp_as_sum(clamped + clamped);
  double scale = power_of_two(e.exponent);
  double high = e.sum.high * scale;
  double low = e.sum.low * scale;
  double above = high + 1;
  double below = high - 1;
  Sum numerator = Sum(below, ((high - below) - 1) + low);
  Sum denominator = Sum(above, (1 - (above - high)) + low);
  return with_sign_of(divide_sums(numerator, denominator), x);
}
double strict_sigmoid(double x) {
  ScaledSum e = exp_as_sum(0 - clamp_number(magnitude(x), 0, 746));
  double high = scale_by_power(e.sum.high, e.exponent);
  double low = scale_by_power(e.sum.low, e.exponent);
  double above = 1 + high;
  Sum denominator = Sum(above, (high - (above - 1)) + low);
  if (x < 0) return scale_by_power(divide_sums(e.sum, denominator), e.exponent);
  return divide_sums(Sum(1, 0), denominator);
}
double strict_softplus(double x) {
  double e = strict_exp(0 - magnitude(x));
  double above = 1 + e;
  double logarithm = strict_log(above) + (e - (above - 1)) / above;
  return (0 < x ? x : 0) + logarithm;
}
double box_muller(double u1, double u2) {
  double radius = sqrt(-2 * strict_log(u1 < 1e-06LF ? 1e-06LF : u1));
  double angle = 6.283185307179586LF * u2;
  double rounded = angle * kTwoOverPi + kRounder;
  double quarters = rounded - kRounder;
  double exact = angle - quarters * 1.5707963267948966LF;
  double rest = quarters * 6.123233995736766e-17LF;
  double high = exact - rest;
  Angle reduced = Angle(high, (exact - high) - rest, bits(rounded) + 1ul);
  Sum cosine = unsigned_sine(reduced);
  return radius * apply_quarter_sign(cosine.high + cosine.low, reduced.quarters);
}

// -- sine and cosine of binary64 ----------------------------------------------------------------------------

uint long_two_over_pi_word(uint bit) {
  const uint kWords[40] = uint[40](
      0x00000000u, 0x00000000u, 0xa2f9836eu, 0x4e441529u, 0xfc2757d1u, 0xf534ddc0u, 0xdb629599u, 0x3c439041u,
      0xfe5163abu, 0xdebbc561u, 0xb7246e3au, 0x424dd2e0u, 0x06492eeau, 0x09d1921cu, 0xfe1deb1cu, 0xb129a73eu,
      0xe88235f5u, 0x2ebb4484u, 0xe99c7026u, 0xb45f7e41u, 0x3991d639u, 0x835339f4u, 0x9c845f8bu, 0xbdf9283bu,
      0x1ff897ffu, 0xde05980fu, 0xef2f118bu, 0x5a0a6d1fu, 0x6d367ecfu, 0x27cb09b7u, 0x4f463f66u, 0x9e5fea2du,
      0x7527bac7u, 0xebe5f17bu, 0x3d0739f7u, 0x8a5292eau, 0x6bfb5fb1u, 0x1f8d5d08u, 0x56033046u, 0xfc7b6babu);
  uint64_t two = uint64_t(kWords[bit / 32u]) << 32 | uint64_t(kWords[bit / 32u + 1u]);
  return uint(two << (bit % 32u) >> 32);
}
Sum times_half_pi(Sum a) {
  const double kHigh = 1.5707963267948966LF;
  const double kLow = 6.123233995736766e-17LF;
  double product = a.high * kHigh;
  double rest = product_error(a.high, kHigh, product) + (a.high * kLow + a.low * kHigh);
  double high = product + rest;
  return Sum(high, rest - (high - product));
}
Angle reduce_any_angle(double x) {
  uint64_t pattern = bits(x) & ~kSignBit;
  uint64_t m = (pattern & 0xffffffffffffful) | 0x10000000000000ul;
  uint first = uint(pattern >> 52) - (1023u + 52u) + 62u;
  uint word[6];
  uint64_t carry = 0ul;
  for (int k = 5; k >= 0; --k) {
    carry += (m & 0xfffffffful) * uint64_t(long_two_over_pi_word(first + 32u * uint(k)));
    word[k] = uint(carry);
    carry >>= 32;
  }
  carry = 0ul;
  for (int k = 4; k >= 0; --k) {
    carry += (m >> 32) * uint64_t(long_two_over_pi_word(first + 32u * uint(k + 1))) + uint64_t(word[k]);
    word[k] = uint(carry);
    carry >>= 32;
  }
  uint64_t turns = uint64_t(word[0]) << 32 | uint64_t(word[1]);
  uint64_t quarters = (turns + (1ul << 61)) >> 62;
  int64_t fraction = int64_t(turns - (quarters << 62));

  double high_part = double(fraction >> 32) * 9.313225746154785e-10LF;
  double low_part = double(fraction & 0xffffffffl) * 2.168404344971009e-19LF;
  double sum = high_part + low_part;
  double lost = low_part - (sum - high_part);
  double below = double(word[2]) * 5.048709793414476e-29LF + (double(word[3]) * 1.1754943508222875e-38LF + double(word[4]) * 2.7369110631344083e-48LF);
  double rest = lost + below;
  double high = sum + rest;
  Sum r = times_half_pi(Sum(high, rest - (high - sum)));
  if (x < 0) return Angle(-r.high, -r.low, 0ul - quarters);
  return Angle(r.high, r.low, quarters);
}
double sine_of(double x, uint64_t more) {
  if (!(magnitude(x) < kInfinity)) return x - x;
  Angle angle = Angle(x, 0, 0ul);
  if (magnitude(x) > 0.7853981633974483LF) angle = reduce_any_angle(x);
  angle.quarters += more;
  Sum sine = unsigned_sine(angle);
  return apply_quarter_sign(sine.high + sine.low, angle.quarters);
}
double strict_sin(double x) {
  if (magnitude(x) < 7.888609052210118e-31LF) return x;
  return sine_of(x, 0ul);
}
double strict_cos(double x) { return sine_of(x, 1ul); }

// -- error function -----------------------------------------------------------------------------------------

const double kGaussianEnd = 39.0;

double gaussian_tail_series(double t) {
  const double kCoefficients[27] = double[27](
      0.7552851304157515LF, -0.6078966419718921LF, 0.3871374007422145LF, -0.18652185795965484LF,
      0.06039657489094323LF, -0.00754018896682524LF, -0.003479692367605836LF, 0.001630818459394586LF,
      0.00013334431578740138LF, -0.00023109495324019437LF, -1.908289705282615e-06LF, 3.514479478753355e-05LF,
      7.168479446346122e-07LF, -5.920586519556891e-06LF, -6.303897230472221e-07LF, 1.0225604158296038e-06LF,
      2.73568947907429e-07LF, -1.5650236461993106e-07LF, -8.838447972307543e-08LF, 1.4630727405651175e-08LF,
      2.2833760070320693e-08LF, 1.4329918401088613e-09LF, -4.57068646415335e-09LF, -8.546521899880147e-10LF,
      6.325195377466816e-10LF, 1.175478991480774e-10LF, -4.495204721257417e-11LF);
  double value = kCoefficients[26];
  for (int power = 25; power >= 0; --power) value = value * t + kCoefficients[power];
  return value;
}
ScaledSum gaussian_bell(double y) {
  double head = from_bits(bits(y) & ~0x7fffffful);
  double rest = (y - head) * (y + head) * -0.5;
  ScaledSum e = exp_as_sum(head * head * -0.5);
  double growth = rest * (1 + rest * (0.5 + rest * 0.16666666666666666LF));
  return ScaledSum(Sum(e.sum.high, e.sum.low + e.sum.high * growth), e.exponent);
}
double gaussian_tail(double y, ScaledSum bell) {
  double ratio = gaussian_tail_series((y - 4) / (y + 4)) / (y + 4);
  return scale_by_power((bell.sum.high + bell.sum.low) * ratio, bell.exponent);
}
double gaussian_tail(double y) { return gaussian_tail(y, gaussian_bell(y)); }
double erf_series(double square) {
  double p = -4.2320376764874594e-12LF;
  p = p * square + 8.709755232851789e-11LF;
  p = p * square + -1.2164764337224506e-09LF;
  p = p * square + 1.479243542696247e-08LF;
  p = p * square + -1.6364645854816389e-07LF;
  p = p * square + 1.6462045711013026e-06LF;
  p = p * square + -1.4925647581008593e-05LF;
  p = p * square + 0.00012055332903350668LF;
  p = p * square + -0.0008548327021945428LF;
  p = p * square + 0.005223977625423455LF;
  p = p * square + -0.026866170645129854LF;
  p = p * square + 0.1128379167095512LF;
  p = p * square + -0.37612638903183754LF;
  return p * square;
}
Sum erf_beyond_one(double magnitude_of_x) {
  return Sum(1, -2 * gaussian_tail(clamp_number(magnitude_of_x * 1.4142135623730951LF, 0, kGaussianEnd)));
}
const double kTwoOverSqrtPiHigh = 1.1283791661262512LF;
const double kTwoOverSqrtPiLow = 9.692613531930338e-10LF;

float strict_erf(float x) {
  double wide = double(x);
  double y = magnitude(wide);
  if (!(y < 1)) return float(with_sign_of(round_for_binary32(erf_beyond_one(y)), wide));
  double low = wide * (kTwoOverSqrtPiLow + erf_series(wide * wide));
  return float(round_for_binary32(Sum(wide * kTwoOverSqrtPiHigh, low)));
}
double strict_erf(double x) {
  double y = magnitude(x);
  if (y < 1) return x * kTwoOverSqrtPiHigh + x * (kTwoOverSqrtPiLow + erf_series(x * x));
  Sum beyond = erf_beyond_one(y);
  return with_sign_of(beyond.high + beyond.low, x);
}
double strict_gelu(double x) {
  double lower = clamp_number(x, -kGaussianEnd, kGaussianEnd) *
                 gaussian_tail(clamp_number(magnitude(x), 0, kGaussianEnd));
  return 0 < x ? x - lower : lower;
}
double strict_gelu_derivative(double x) {
  double z = clamp_number(x, -kGaussianEnd, kGaussianEnd);
  double y = magnitude(z);
  ScaledSum bell = gaussian_bell(y);
  double tail = gaussian_tail(y, bell);
  double density = scale_by_power(bell.sum.high + bell.sum.low, bell.exponent) * 0.3989422804014327LF;
  return (0 < z ? 1 - tail : tail) + z * density;
}
float strict_gelu_derivative(float x) { return float(strict_gelu_derivative(double(x))); }

#endif
