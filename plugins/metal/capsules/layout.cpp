// Layout operations: the same elements in another arrangement.
#include <limits>

#include "kernel.h"
#include "walk.h"

namespace tenon::metal {
namespace {

/// The same elements under another shape: a copy, unless the host lets the result stand in x's place.
struct Renaming {
  using dtypes = float(float);
  static constexpr bool in_place = true;
  Plan plan(const SignatureView& s) const {
    if (s.operand(0).bytes() != s.output().bytes()) {
      plugin::refuse("[", s.op(), "] x ", s.operand(0).shape(), " to ", s.output().shape(),
                     ": different numbers of elements");
    }
    Plan plan;
    plan.copy(Slot::operand(s, 0), Slot::output(s));
    return plan;
  }
};
struct Reshape : Renaming {
  static constexpr auto attributes = plugin::names("shape");
};
struct Flatten : Renaming {
  static constexpr auto attributes = plugin::names("first", "last");
};
struct Unflatten : Renaming {
  static constexpr auto attributes = plugin::names("axis", "shape");
};

/// Each element of the result from the place in x that a walk names.
Plan rearranged(const SignatureView& s, std::span<const std::int64_t> strides) {
  Walk walk;
  for (std::size_t axis = 0; axis < strides.size(); ++axis) walk.push_back(s.output().extent(axis), strides[axis]);
  Plan plan;
  Pass& pass = plan.add("layout_rearrange").reads(s, 0).writes(s).over(s.output().elements());
  tenon_metal::Rearrange constants{};
  const Walk* walks[] = {&walk};
  put_walks(constants.extents, constants.strides, walks);
  constants.axes = count32(walk.axes().size());
  constants.count = count32(s.output().elements());
  pass.constants = constants;
  return plan;
}

struct Permute {
  using dtypes = float(float);
  static constexpr auto attributes = plugin::names("axes");
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0);
    const auto axes = s.integers("axes");
    if (axes.size() != x.rank()) {
      plugin::refuse("[permute] x ", x.shape(), ": ", axes.size(), " axes named, expected ", x.rank());
    }
    const std::vector<std::int64_t> of_x = dense_strides(x.shape());
    std::vector<std::int64_t> strides;
    for (const std::int64_t named : axes) {
      const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(x.rank()) : named);
      if (axis >= x.rank() || x.extent(axis) != s.output().extent(strides.size())) {
        plugin::refuse("[permute] x ", x.shape(), " by ", axes, " is not ", s.output().shape());
      }
      strides.push_back(of_x[axis]);
    }
    return rearranged(s, strides);
  }
};

/// Axes of extent 1, and missing leading ones, are read again and again: stride 0.
struct Broadcast {
  using dtypes = float(float);
  static constexpr auto attributes = plugin::names("shape");
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0), output = s.output();
    if (x.rank() > output.rank()) plugin::refuse("[broadcast] x ", x.shape(), " to ", output.shape());
    const std::vector<std::int64_t> of_x = dense_strides(x.shape());
    const std::size_t missing = output.rank() - x.rank();
    std::vector<std::int64_t> strides(output.rank(), 0);
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      if (x.extent(axis) == 1) continue;
      if (x.extent(axis) != output.extent(missing + axis))
        plugin::refuse("[broadcast] x ", x.shape(), " to ", output.shape());
      strides[missing + axis] = of_x[axis];
    }
    return rearranged(s, strides);
  }
};

/// A tensor as blocks along one axis: `outer` of them, each of `extent` runs of `inner` elements.
struct Blocks {
  std::uint64_t outer = 1, extent = 1, inner = 1;

  Blocks(const TensorView& tensor, std::size_t axis) : extent(static_cast<std::uint64_t>(tensor.extent(axis))) {
    for (std::size_t i = 0; i < tensor.rank(); ++i) {
      if (i != axis) (i < axis ? outer : inner) *= static_cast<std::uint64_t>(tensor.extent(i));
    }
  }
  std::uint64_t elements() const { return outer * extent * inner; }
};

/// The attribute `axis` of operand 0, counted from the front.
std::size_t axis_of(const SignatureView& s) {
  const std::int64_t named = s.integer("axis", 0);
  const auto rank = static_cast<std::int64_t>(s.operand(0).rank());
  if (named < -rank || named >= rank) plugin::refuse("[", s.op(), "] axis ", named, ", rank ", rank);
  return static_cast<std::size_t>(named < 0 ? named + rank : named);
}

struct Concat {
  using dtypes = float(float, float);
  static constexpr auto attributes = plugin::names("axis");
  Plan plan(const SignatureView& s) const {
    const std::size_t axis = axis_of(s);
    const TensorView left = s.operand(0), right = s.operand(1);
    if (right.rank() != left.rank()) plugin::refuse("[concat] left ", left.shape(), ", right ", right.shape());
    const Blocks a(left, axis), b(right, axis);
    if (a.outer != b.outer || a.inner != b.inner || a.elements() + b.elements() != s.output().elements()) {
      plugin::refuse("[concat] left ", left.shape(), ", right ", right.shape(), " along axis ", axis, " to ",
                     s.output().shape());
    }
    Plan plan;
    Pass& pass = plan.add("layout_concat").reads(s, 0).reads(s, 1).writes(s).over(s.output().elements());
    pass.constants =
        tenon_metal::Concat{count32(s.output().elements()), count32(a.extent * a.inner), count32(b.extent * b.inner)};
    return plan;
  }
};

/// Elements start .. stop-1 of an axis; numbers below 0 count from the end, and beyond an end is that end.
struct Slice {
  using dtypes = float(float);
  static constexpr auto attributes = plugin::names("axis", "start", "stop");
  Plan plan(const SignatureView& s) const {
    const TensorView x = s.operand(0), output = s.output();
    if (output.rank() != x.rank()) plugin::refuse("[slice] x ", x.shape(), " is not ", output.shape());
    const Blocks of_x(x, axis_of(s)), taken(output, axis_of(s));
    const auto extent = static_cast<std::int64_t>(of_x.extent);
    const auto place = [=](std::int64_t at) { return std::clamp(at < 0 ? at + extent : at, std::int64_t{0}, extent); };
    const std::int64_t start = place(s.integer("start", 0));
    const std::int64_t stop = place(s.integer("stop", std::numeric_limits<std::int64_t>::max()));
    if (taken.extent != static_cast<std::uint64_t>(std::max(stop - start, std::int64_t{0})) ||
        taken.outer != of_x.outer || taken.inner != of_x.inner) {
      plugin::refuse("[slice] x ", x.shape(), " from ", start, " to ", stop, " is not ", output.shape());
    }
    Plan plan;
    Pass& pass = plan.add("layout_slice").reads(s, 0).writes(s).over(output.elements());
    pass.constants =
        tenon_metal::Slice{count32(output.elements()), count32(taken.extent * taken.inner),
                           count32(of_x.extent * of_x.inner), count32(static_cast<std::uint64_t>(start) * of_x.inner)};
    return plan;
  }
};

using Number = std::uint32_t;

/// `picked` is the operand or result that has the indices' axes in the place of x's axis.
Blocks indexed(const SignatureView& s, std::uint32_t indices, const TensorView& picked) {
  const Blocks x(s.operand(0), axis_of(s));
  if (picked.elements() == x.outer * s.operand(indices).elements() * x.inner) return x;
  plugin::refuse("[", s.op(), "] x ", s.operand(0).shape(), ", indices ", s.operand(indices).shape(), ", picked ",
                 picked.shape());
}

struct Gather {
  using dtypes = float(float, Number);
  static constexpr auto attributes = plugin::names("axis");
  Plan plan(const SignatureView& s) const {
    const Blocks x = indexed(s, 1, s.output());
    Plan plan;
    Pass& pass = plan.add("layout_gather").reads(s, 0).reads(s, 1).writes(s).over(s.output().elements());
    pass.constants = tenon_metal::Indexed{count32(s.output().elements()), count32(s.operand(1).elements()),
                                          count32(x.extent), count32(x.inner)};
    return plan;
  }
};

/// (x, values, indices): x, then each value added at its index, in the order of the indices.
struct ScatterAdd {
  using dtypes = float(float, float, Number);
  static constexpr auto attributes = plugin::names("axis");
  static constexpr tenon_numerics numerics = plugin::strict_numerics(TENON_REDUCTION_FIXED_LEFT);
  Plan plan(const SignatureView& s) const {
    const Blocks x = indexed(s, 2, s.operand(1));
    Plan plan;
    plan.copy(Slot::operand(s, 0), Slot::output(s));
    const std::uint64_t lanes = s.operand(2).elements() == 0 ? 0 : x.outer * x.inner;
    Pass& pass = plan.add("layout_scatter_add").reads(s, 1).reads(s, 2).writes(s).over(lanes);
    pass.constants =
        tenon_metal::Indexed{count32(lanes), count32(s.operand(2).elements()), count32(x.extent), count32(x.inner)};
    return plan;
  }
};

TENON_CAPSULES capsules =
    plugin::join(strict<"reshape", Reshape>, strict<"flatten", Flatten>, strict<"unflatten", Unflatten>,
                 strict<"permute", Permute>, strict<"broadcast", Broadcast>, strict<"concat", Concat>,
                 strict<"slice", Slice>, strict<"gather", Gather>, strict<"scatter_add", ScatterAdd>);

}  // namespace
}  // namespace tenon::metal
