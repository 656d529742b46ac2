// The strict functions of binary64, and those of binary32 that rest on them; part of strict.glsl.
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
