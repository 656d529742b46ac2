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

// A push constant on which a loop or a branch depends. Lavapipe compiles a shader again for each value of such a
// constant, while it runs, unless something else takes part: workgroups are never numbered along z, so this adds 0.
uint opaque(uint x) { return x + gl_WorkGroupID.z; }
float opaque(float x) { return x + float(gl_WorkGroupID.z); }
double opaque(double x) { return x + double(gl_WorkGroupID.z); }

// Number i of so many, as many at once as were started; neighbours meet neighbours in memory.
#define FOR_EACH(i, count)                                     \
  for (uint i = gl_GlobalInvocationID.x; i < opaque(count);     \
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

// Lanes are summed one after the other, in the order 0 8 4 12 2 10 ... (bits reversed), in which the tree can be
// folded with one waiting value for each of its levels: nothing is kept in arrays.
#define LANE(t) (bitfieldReverse(t) >> 28)
#define WAITING(level) real level##a_ = real(0), level##b_ = real(0), level##c_ = real(0), level##d_ = real(0)
#define FOLD_LANE(level, t, v, result) \
  if ((t & 1u) == 0u) {                \
    level##a_ = v;                     \
  } else {                             \
    v = level##a_ + v;                 \
    if ((t & 2u) == 0u) {              \
      level##b_ = v;                   \
    } else {                           \
      v = level##b_ + v;               \
      if ((t & 4u) == 0u) {            \
        level##c_ = v;                 \
      } else {                         \
        v = level##c_ + v;             \
        if ((t & 8u) == 0u)            \
          level##d_ = v;               \
        else                           \
          result = level##d_ + v;      \
      }                                \
    }                                  \
  }

// result = the sum of AT(begin) ... AT(end - 1), at most 4096 elements; AT is a macro.
#define BLOCK_SUM(result, begin, end, AT)                                       \
  {                                                                             \
    WAITING(one);                                                               \
    for (uint t_ = 0u; t_ < 16u; ++t_) {                                        \
      real v_ = real(0);                                                        \
      for (uint i_ = (begin) + LANE(t_); i_ < (end); i_ += 16u) v_ = v_ + AT(i_); \
      FOLD_LANE(one, t_, v_, result)                                            \
    }                                                                           \
  }

// result = the sum of AT(0) ... AT(count - 1): blocks of 4096 elements, their sums in blocks of 4096 again, three levels
// in all, which is more than 32 bits can count. A level of one element changes nothing, since no sum is -0.
#define TREE_SUM(result, count, AT)                                                         \
  {                                                                                         \
    const uint count_ = opaque(count), blocks_ = (count_ + 4095u) / 4096u;                        \
    WAITING(three);                                                                         \
    for (uint t3_ = 0u; t3_ < 16u; ++t3_) {                                                 \
      real v3_ = real(0);                                                                   \
      for (uint second_ = LANE(t3_); second_ * 4096u < blocks_; second_ += 16u) {           \
        const uint end_ = min(blocks_, second_ * 4096u + 4096u);                            \
        real sum2_ = real(0);                                                               \
        WAITING(two);                                                                       \
        for (uint t2_ = 0u; t2_ < 16u; ++t2_) {                                             \
          real v2_ = real(0);                                                               \
          for (uint block_ = second_ * 4096u + LANE(t2_); block_ < end_; block_ += 16u) {   \
            real sum1_ = real(0);                                                           \
            BLOCK_SUM(sum1_, block_ * 4096u, min(count_, block_ * 4096u + 4096u), AT)       \
            v2_ = v2_ + sum1_;                                                              \
          }                                                                                 \
          FOLD_LANE(two, t2_, v2_, sum2_)                                                   \
        }                                                                                   \
        v3_ = v3_ + sum2_;                                                                  \
      }                                                                                     \
      FOLD_LANE(three, t3_, v3_, result)                                                    \
    }                                                                                       \
  }
