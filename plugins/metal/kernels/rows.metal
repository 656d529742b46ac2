// What is done to rows along the last axis, by a team for each.
#include "strict_functions.h"
#include "teams.h"
#include "walk.h"

using namespace tenon_metal;

namespace tenon_metal {

struct Value {
  device const uint* x;
  real operator()(uint i) const { return real_of(x[i]); }
};
/// What the same thread wrote before.
struct Written {
  device uint* x;
  real operator()(uint i) const { return real_of(x[i]); }
};
struct Exponential {
  device const uint* x;
  real most;
  real operator()(uint i) const { return strict_exp(real_of(x[i]) - most); }
};
struct Product2 {
  device const uint* x;
  device const uint* y;
  real operator()(uint i) const { return real_of(x[i]) * real_of(y[i]); }
};
struct SquaredDeviation {
  device const uint* x;
  real mean;
  real operator()(uint i) const { return (real_of(x[i]) - mean) * (real_of(x[i]) - mean); }
};
struct Unmasked {
  device const uint* x;
  device const uint* mask;
  bool has(uint i) const { return real_of(mask[i]) != real_of(0u); }
  real operator()(uint i) const { return has(i) ? real_of(x[i]) : real_of(kSign32 | kInfinity32); }
};

}  // namespace tenon_metal

// One lane's elements of a row.
#define TENON_FOR_EACH_OF_LANE(i, n, member) for (uint i = member.works ? member.lane : (n); i < (n); i += team_lanes)

kernel void rows_softmax(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                         constant Rows& shape [[buffer(2)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    device const uint* from = x + ulong(row) * shape.n;
    device uint* to = result + ulong(row) * shape.n;
    const Value value = {from};
    const Exponential e = {from, greatest(shape.n, member, value)};
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) to[i] = bits(e(i));
    const Written written = {to};
    const real sum = tree_sum(shape.n, member, written);
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) to[i] = bits(divide_strictly(written(i), sum));
  }
}

kernel void rows_log_softmax(device const uint* x [[buffer(0)]], device uint* result [[buffer(1)]],
                             constant Rows& shape [[buffer(2)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    device const uint* from = x + ulong(row) * shape.n;
    device uint* to = result + ulong(row) * shape.n;
    const Value value = {from};
    const Exponential e = {from, greatest(shape.n, member, value)};
    const real log_sum = strict_log(tree_sum(shape.n, member, e));
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) to[i] = bits((value(i) - e.most) - log_sum);
  }
}

kernel void rows_softmax_vjp(device const uint* y [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                             device uint* result [[buffer(2)]], constant Rows& shape [[buffer(3)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    const ulong base = ulong(row) * shape.n;
    const Value own = {y + base}, above = {upstream + base};
    const Product2 product = {upstream + base, y + base};
    const real sum = tree_sum(shape.n, member, product);
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) result[base + i] = bits(own(i) * (above(i) - sum));
  }
}

kernel void rows_log_softmax_vjp(device const uint* y [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                                 device uint* result [[buffer(2)]], constant Rows& shape [[buffer(3)]],
                                 TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    const ulong base = ulong(row) * shape.n;
    const Value own = {y + base}, above = {upstream + base};
    const real sum = tree_sum(shape.n, member, above);
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) result[base + i] = bits(above(i) - strict_exp(own(i)) * sum);
  }
}

kernel void rows_masked_softmax(device const uint* x [[buffer(0)]], device const uint* mask [[buffer(1)]],
                                device uint* result [[buffer(2)]], constant MaskedRows& shape [[buffer(3)]],
                                TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    const uint matrix =
        walk(member.works ? row / shape.rows_per_matrix : 0u, shape.extents, shape.strides, 0u, shape.axes);
    const Unmasked value = {x + ulong(row) * shape.n, mask + matrix + ulong(row % shape.rows_per_matrix) * shape.n};
    device uint* to = result + ulong(row) * shape.n;
    const Exponential e = {value.x, greatest(shape.n, member, value)};
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) to[i] = value.has(i) ? bits(e(i)) : 0u;
    const Written written = {to};
    const real sum = tree_sum(shape.n, member, written);
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) {
      if (written(i) != real_of(0u)) to[i] = bits(divide_strictly(written(i), sum));
    }
  }
}

kernel void rows_layer_norm(device const uint* x [[buffer(0)]], device const uint* weight [[buffer(1)]],
                            device const uint* bias [[buffer(2)]], device uint* result [[buffer(3)]],
                            constant Rows& shape [[buffer(4)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    const ulong base = ulong(row) * shape.n;
    const Value value = {x + base};
    const real n = real_from(shape.n);
    const SquaredDeviation square = {x + base, divide_strictly(tree_sum(shape.n, member, value), n)};
    const real variance = divide_strictly(tree_sum(shape.n, member, square), n);
    const real deviation = strict_sqrt(variance + real_from(shape.parameter));
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) {
      const real normal = divide_strictly(value(i) - square.mean, deviation);
      result[base + i] = bits(normal * real_of(weight[i]) + real_of(bias[i]));
    }
  }
}

kernel void rows_cross_entropy(device const uint* x [[buffer(0)]], device const uint* labels [[buffer(1)]],
                               device uint* result [[buffer(2)]], constant Rows& shape [[buffer(3)]],
                               TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    const Value value = {x + ulong(row) * shape.n};
    const Exponential e = {value.x, greatest(shape.n, member, value)};
    const real log_sum = strict_log(tree_sum(shape.n, member, e));
    if (!member.works || member.lane != 0u) continue;
    const uint label = labels[row];
    result[row] = label < shape.n ? bits(-((value(label) - e.most) - log_sum)) : kNaN32;
  }
}

kernel void rows_cross_entropy_grad(device const uint* x [[buffer(0)]], device const uint* upstream [[buffer(1)]],
                                    device const uint* labels [[buffer(2)]], device uint* result [[buffer(3)]],
                                    constant Rows& shape [[buffer(4)]], TENON_TEAM_THREAD) {
  threadgroup uint memory[team_threads];
  Member member = member_of(thread_in_group, memory);
  TENON_FOR_EACH_OF_TEAM(row, shape.count, member) {
    const Value value = {x + ulong(row) * shape.n};
    device uint* to = result + ulong(row) * shape.n;
    const Exponential e = {value.x, greatest(shape.n, member, value)};
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) to[i] = bits(e(i));
    const Written written = {to};
    const real sum = tree_sum(shape.n, member, written);
    const real share = divide_strictly(real_of(upstream[0]), real_from(shape.parameter));
    const uint label = member.works ? labels[row] : 0u;
    TENON_FOR_EACH_OF_LANE(i, shape.n, member) {
      const real p = divide_strictly(written(i), sum);
      to[i] = bits((i == label ? p - real_from(1) : p) * share);
    }
  }
}
