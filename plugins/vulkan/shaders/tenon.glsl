// What every shader begins with: the element type `real`, in which the build compiles it twice, the size of a
// workgroup, and the loop over all elements. Floating-point operations need no `precise` here: the plugin decorates
// each of them (spirv.h).
#extension GL_EXT_shader_explicit_arithmetic_types_int64 : require

#if REAL_BITS == 64
#define real double
#else
#define real float
#endif

layout(local_size_x_id = 0) in;

// Number i of so many, as many at once as were started; neighbours meet neighbours in memory.
#define FOR_EACH(i, count)                                     \
  for (uint i = gl_GlobalInvocationID.x; i < (count);          \
       i += gl_NumWorkGroups.x * gl_WorkGroupSize.x)

#define READS(number, name) layout(std430, set = 0, binding = number) readonly buffer Buffer##number { real name[]; }
#define READS_NUMBERS(number, name) \
  layout(std430, set = 0, binding = number) readonly buffer Buffer##number { uint name[]; }
#define WRITES(number, name) layout(std430, set = 0, binding = number) buffer Buffer##number { real name[]; }

// A binary64 number by the halves of its bit pattern, for what has no literal.
#define F64(high, low) packDouble2x32(uvec2(low, high))

#define kInfinity F64(0x7ff00000u, 0u)
#define kNaN F64(0x7ff80000u, 0u)

uint64_t bits(double x) { return doubleBitsToUint64(x); }
double from_bits(uint64_t pattern) { return uint64BitsToDouble(pattern); }

bool is_nan(double x) { return (bits(x) & 0x7ffffffffffffffful) > 0x7ff0000000000000ul; }
bool is_nan(float x) { return (floatBitsToUint(x) & 0x7fffffffu) > 0x7f800000u; }
bool is_negative(double x) { return bits(x) >> 63 != 0ul; }
bool is_negative(float x) { return floatBitsToUint(x) >> 31 != 0u; }

// Drivers may round a binary32 quotient and root more than once; from binary64 each is rounded right.
float divide_strictly(float a, float b) { return float(double(a) / double(b)); }
double divide_strictly(double a, double b) { return a / b; }
float strict_sqrt(float x) { return float(sqrt(double(x))); }
double strict_sqrt(double x) { return sqrt(x); }

// -- order --------------------------------------------------------------------------------------------------

#define ORDER_FUNCTIONS(T)                              \
  T strict_maximum(T a, T b) {                          \
    if (is_nan(a) || is_nan(b)) return T(kNaN);         \
    if (a == b) return is_negative(a) ? b : a;          \
    return a < b ? b : a;                               \
  }                                                     \
  T strict_minimum(T a, T b) {                          \
    if (is_nan(a) || is_nan(b)) return T(kNaN);         \
    if (a == b) return is_negative(a) ? a : b;          \
    return a < b ? a : b;                               \
  }                                                     \
  T strict_relu(T x) { return x <= T(0) ? T(0) : x; }
ORDER_FUNCTIONS(float)
ORDER_FUNCTIONS(double)

// -- the sixteen-lane tree ----------------------------------------------------------------------------------

#define ADD_HALF(lanes, half) for (uint l_ = 0u; l_ < half; ++l_) lanes[l_] = lanes[l_] + lanes[l_ + half]
#define COMBINE_LANES(lanes) \
  {                          \
    ADD_HALF(lanes, 8u);     \
    ADD_HALF(lanes, 4u);     \
    ADD_HALF(lanes, 2u);     \
    ADD_HALF(lanes, 1u);     \
  }
#define CLEAR_LANES(lanes) for (uint l_ = 0u; l_ < 16u; ++l_) lanes[l_] = real(0)

// result = the sum of AT(0) ... AT(count - 1), AT a macro. Blocks of 4096 elements, their sums in blocks of 4096 again,
// three levels in all: more than 32 bits can count. A level of one element changes nothing, since no sum is -0.
#define TREE_SUM(result, count, AT)                                                    \
  {                                                                                    \
    const uint count_ = (count), block_count_ = (count_ + 4095u) / 4096u;              \
    real roots_[16], lanes_[16];                                                       \
    CLEAR_LANES(roots_);                                                               \
    for (uint second_ = 0u; second_ * 4096u < block_count_; ++second_) {               \
      real sums_[16];                                                                  \
      CLEAR_LANES(sums_);                                                              \
      const uint end_block_ = min(block_count_, second_ * 4096u + 4096u);              \
      for (uint block_ = second_ * 4096u; block_ < end_block_; ++block_) {             \
        CLEAR_LANES(lanes_);                                                           \
        const uint first_ = block_ * 4096u, end_ = min(count_, first_ + 4096u);        \
        uint row_ = first_;                                                            \
        for (; row_ + 16u <= end_; row_ += 16u) {                                      \
          for (uint l_ = 0u; l_ < 16u; ++l_) lanes_[l_] = lanes_[l_] + AT(row_ + l_);  \
        }                                                                              \
        for (uint l_ = 0u; l_ < 16u; ++l_) {                                           \
          if (row_ + l_ < end_) lanes_[l_] = lanes_[l_] + AT(row_ + l_);               \
        }                                                                              \
        COMBINE_LANES(lanes_);                                                         \
        sums_[block_ & 15u] = sums_[block_ & 15u] + lanes_[0];                         \
      }                                                                                \
      COMBINE_LANES(sums_);                                                            \
      roots_[second_ & 15u] = roots_[second_ & 15u] + sums_[0];                        \
    }                                                                                  \
    COMBINE_LANES(roots_);                                                             \
    result = roots_[0];                                                                \
  }
