// Layout operations: the same elements in another arrangement.
#include <algorithm>
#include <limits>
#include <optional>

#include "walks.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "layout";

template <class T, class... N>
bool whole_packs(N... numbers) {
  return (... && (numbers % static_cast<N>(pack_width<T>) == 0));
}

/// Elements that are neighbours in x and in the result, in packs where all that is counted is whole packs.
template <class T>
void copy_blocks(Plan& plan, const BlockCopy& shape, Operand from) {
  const std::uint64_t n = shape.blocks * shape.count;
  if (!whole_packs<T>(shape.count, shape.from_stride, shape.from_skipped, shape.to_stride, shape.to_skipped)) {
    plan.launch_threads(family, "copy_blocks", n, shape, Output{}, from);
    return;
  }
  constexpr std::uint64_t width = pack_width<T>;
  const BlockCopy packs{shape.blocks,
                        shape.count / width,
                        shape.from_stride / width,
                        shape.from_skipped / width,
                        shape.to_stride / width,
                        shape.to_skipped / width};
  plan.launch_threads(family, "copy_blocks_packs", n / width, packs, Output{}, from);
}

// -- the same elements under another shape ------------------------------------------------------------------

template <class T>
struct Renaming {
  using dtypes = T(T);
  static constexpr bool in_place = true;  // each element stays where it is
  static void plan(Plan& plan) {
    const TensorView x = plan.signature().operand(0), output = plan.signature().output();
    const std::uint64_t n = x.elements();
    if (n != output.elements()) {
      refuse("[", plan.signature().op(), "] x ", x.shape(), " to ", output.shape(), ": different numbers of elements");
    }
    plan.copy_through(n * sizeof(T));
  }
};

template <class T>
struct Reshape : Renaming<T> {
  static constexpr auto attributes = names("shape");
};
template <class T>
struct Flatten : Renaming<T> {
  static constexpr auto attributes = names("first", "last");
};
template <class T>
struct Unflatten : Renaming<T> {
  static constexpr auto attributes = names("axis", "shape");
};

// -- each element from the place that a walk names ----------------------------------------------------------

/// x's strides, one per axis of the result, in the result's order.
struct Strides {
  std::span<const std::int64_t> shape;
  std::vector<std::int64_t> of;
};

/// The axis of a walk along which x's elements are neighbours, if it is another than the result's last, and both are
/// long enough to fill a tile by a part worth the trouble.
std::optional<unsigned> transposed_axis(const Walk& walk) {
  constexpr std::uint64_t least = 8;
  if (walk.axes < 2) return {};
  const unsigned last = walk.axes - 1;
  if (walk.stride[last] == 1 || walk.stride[last] == 0 || walk.extent[last] < least) return {};
  for (unsigned axis = 0; axis < last; ++axis) {
    if (walk.stride[axis] == 1 && walk.extent[axis] >= least) return axis;
  }
  return {};
}

/// The result's last axis and `axis` are the rows and columns of x's matrices; the other axes say where those stand.
void transpose(Plan& plan, const Walk& walk, unsigned axis) {
  Walk from, to;
  std::int64_t stride = 1, of_axis = 0;
  std::vector<std::int64_t> strides(walk.axes);
  for (unsigned i = walk.axes; i-- != 0;) {
    strides[i] = stride;
    stride *= static_cast<std::int64_t>(walk.extent[i]);
  }
  for (unsigned i = 0; i + 1 < walk.axes; ++i) {
    if (i == axis) {
      of_axis = strides[i];
      continue;
    }
    append_axis(from, static_cast<std::int64_t>(walk.extent[i]), walk.stride[i]);
    append_axis(to, static_cast<std::int64_t>(walk.extent[i]), strides[i]);
  }
  const unsigned last = walk.axes - 1;
  const Transposition shape{walk.extent[last], walk.extent[axis], walk.stride[last], of_axis};
  plan.launch(family, "transpose", shape.tiles() * from.count, shape, from, to, Output{}, Operand{0});
}

/// A pack of the result at a time, where its last axis is whole packs.
template <class T>
void rearrange_packs(Plan& plan, const Walk& walk) {
  constexpr std::uint64_t width = pack_width<T>;
  const unsigned last = walk.axes - 1;
  const std::int64_t step = walk.stride[last];
  const bool whole = step == 1 && std::all_of(walk.stride, walk.stride + last,
                                              [](std::int64_t stride) { return whole_packs<T>(stride); });
  Walk packs = walk;
  packs.count /= width;
  packs.extent[last] /= width;
  packs.stride[last] *= static_cast<std::int64_t>(width);
  plan.launch_threads(family, "rearrange_packs", packs.count, packs, step, std::uint32_t{whole}, Output{}, Operand{0});
}

template <class T>
void rearrange(Plan& plan, const Strides& strides) {
  Walk walk;
  for (std::size_t axis = 0; axis < strides.shape.size(); ++axis)
    append_axis(walk, strides.shape[axis], strides.of[axis]);
  if (walk.count == 0) return;
  if (const auto axis = transposed_axis(walk)) return transpose(plan, walk, *axis);
  if (walk.axes != 0 && whole_packs<T>(walk.extent[walk.axes - 1])) return rearrange_packs<T>(plan, walk);
  plan.launch_threads(family, "rearrange", walk.count, walk, Output{}, Operand{0});
}

/// Result axis i is x's axis axes[i].
template <class T>
struct Permute {
  using dtypes = T(T);
  static constexpr auto attributes = names("axes");
  static void plan(Plan& plan) {
    rearrange<T>(plan, {plan.signature().output().shape(), strides_of(plan.signature())});
  }

 private:
  static std::vector<std::int64_t> strides_of(const SignatureView& signature) {
    const TensorView x = signature.operand(0);
    const auto axes = signature.integers("axes");
    if (axes.size() != x.rank()) {
      refuse("[permute] x ", x.shape(), ": ", axes.size(), " axes named, expected ", x.rank());
    }
    const std::vector<std::int64_t> of_x = dense_strides(x.shape());
    std::vector<std::int64_t> strides;
    for (const std::int64_t named : axes) {
      const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(x.rank()) : named);
      if (axis >= x.rank()) refuse("[permute] axis ", named, " of x ", x.shape());
      if (x.extent(axis) != signature.output().extent(strides.size()))
        refuse("[permute] x ", x.shape(), " by ", axes, " is not ", signature.output().shape());
      strides.push_back(of_x[axis]);
    }
    return strides;
  }
};

/// Axes of extent 1, and missing leading ones, are read again and again: stride 0.
template <class T>
struct Broadcast {
  using dtypes = T(T);
  static constexpr auto attributes = names("shape");
  static void plan(Plan& plan) {
    const TensorView output = plan.signature().output();
    rearrange<T>(plan, {output.shape(), strides_of(plan.signature().operand(0), output)});
  }

 private:
  static std::vector<std::int64_t> strides_of(const TensorView& x, const TensorView& output) {
    if (x.rank() > output.rank()) refuse("[broadcast] x ", x.shape(), " to ", output.shape());
    const std::vector<std::int64_t> of_x = dense_strides(x.shape());
    const std::size_t missing = output.rank() - x.rank();
    std::vector<std::int64_t> strides(output.rank(), 0);
    for (std::size_t axis = 0; axis < x.rank(); ++axis) {
      if (x.extent(axis) == 1) continue;
      if (x.extent(axis) != output.extent(missing + axis)) refuse("[broadcast] x ", x.shape(), " to ", output.shape());
      strides[missing + axis] = of_x[axis];
    }
    return strides;
  }
};

// -- along one axis -----------------------------------------------------------------------------------------

/// A tensor as blocks along one axis: `outer` of them, each of `extent` runs of `inner` elements.
struct Blocks {
  std::uint64_t outer = 1, extent = 1, inner = 1;

  Blocks(const TensorView& tensor, std::size_t axis) : extent(static_cast<std::uint64_t>(tensor.extent(axis))) {
    for (std::size_t i = 0; i < tensor.rank(); ++i) {
      if (i != axis) (i < axis ? outer : inner) *= static_cast<std::uint64_t>(tensor.extent(i));
    }
  }
};

/// The attribute `axis` of operand 0, counted from the front.
std::size_t axis_of(const SignatureView& signature) {
  const std::int64_t named = signature.integer("axis", 0);
  const auto rank = static_cast<std::int64_t>(signature.operand(0).rank());
  if (named < -rank || named >= rank) refuse("[", signature.op(), "] axis ", named, ", rank ", rank);
  return static_cast<std::size_t>(named < 0 ? named + rank : named);
}

template <class T>
struct Concat {
  using dtypes = T(T, T);
  static constexpr auto attributes = names("axis");
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const TensorView left = s.operand(0), right = s.operand(1);
    const std::size_t axis = axis_of(s);
    if (right.rank() != left.rank() || s.output().elements() != left.elements() + right.elements())
      refuse("[concat] left ", left.shape(), ", right ", right.shape(), " to ", s.output().shape());
    const Blocks first(left, axis), second(right, axis);
    if (second.outer != first.outer || second.inner != first.inner)
      refuse("[concat] left ", left.shape(), ", right ", right.shape(), " along axis ", axis);
    const std::uint64_t here = first.extent * first.inner, there = second.extent * second.inner;
    copy_blocks<T>(plan, {first.outer, here, here, 0, here + there, 0}, Operand{0});
    copy_blocks<T>(plan, {first.outer, there, there, 0, here + there, here}, Operand{1});
  }
};

/// start and stop as Python takes them.
template <class T>
struct Slice {
  using dtypes = T(T);
  static constexpr auto attributes = names("axis", "start", "stop");
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const TensorView x = s.operand(0), output = s.output();
    const std::size_t axis = axis_of(s);
    if (output.rank() != x.rank()) refuse("[slice] x ", x.shape(), " is not ", output.shape());
    const Blocks from(x, axis), to(output, axis);
    const std::int64_t size = x.extent(axis);
    const std::int64_t start = place(s.integer("start", 0), size);
    const std::int64_t stop = place(s.integer("stop", std::numeric_limits<std::int64_t>::max()), size);
    if (to.extent != static_cast<std::uint64_t>(std::max(stop - start, std::int64_t{0})) || to.outer != from.outer ||
        to.inner != from.inner) {
      refuse("[slice] x ", x.shape(), " from ", start, " to ", stop, " is not ", output.shape());
    }
    const std::uint64_t count = to.extent * to.inner, skipped = static_cast<std::uint64_t>(start) * from.inner;
    copy_blocks<T>(plan, {from.outer, count, from.extent * from.inner, skipped, count, 0}, Operand{0});
  }

 private:
  static std::int64_t place(std::int64_t named, std::int64_t size) {
    return std::clamp(named < 0 ? named + size : named, std::int64_t{0}, size);
  }
};

/// `picked` is the operand or result that has the indices' axes in the axis's place.
Indexed indexed(const SignatureView& signature, std::uint32_t indices, const TensorView& picked) {
  const TensorView x = signature.operand(0);
  const Blocks blocks(x, axis_of(signature));
  const std::uint64_t count = signature.operand(indices).elements();
  if (picked.elements() != blocks.outer * count * blocks.inner) {
    refuse("[", signature.op(), "] x ", x.shape(), ", indices ", signature.operand(indices).shape(), ", picked ",
           picked.shape());
  }
  return {blocks.outer, blocks.extent, blocks.inner, count};
}

template <class T>
struct Gather {
  using dtypes = T(T, std::uint32_t);
  static constexpr auto attributes = names("axis");
  static void plan(Plan& plan) {
    Indexed shape = indexed(plan.signature(), 1, plan.signature().output());
    const bool packs = whole_packs<T>(shape.inner);
    if (packs) shape.inner /= pack_width<T>;
    plan.launch_threads(family, packs ? "gather_packs" : "gather", shape.outer * shape.count * shape.inner, shape,
                        Output{}, Operand{0}, Operand{1}, std::numeric_limits<T>::quiet_NaN());
  }
};

/// (x, values, indices)
template <class T>
struct ScatterAdd : Folds {
  using dtypes = T(T, T, std::uint32_t);
  static constexpr auto attributes = names("axis");
  static void plan(Plan& plan) {
    const Indexed shape = indexed(plan.signature(), 2, plan.signature().operand(1));
    plan.count_flops(shape.outer * shape.count * shape.inner);
    plan.launch_threads(family, "scatter_add", shape.outer * shape.extent * shape.inner, shape, Output{}, Operand{0},
                        Operand{1}, Operand{2});
  }
};

TENON_CAPSULES capsules = plugin::join(both<"reshape", Reshape>, both<"flatten", Flatten>, both<"unflatten", Unflatten>,
                                       both<"permute", Permute>, both<"broadcast", Broadcast>, both<"concat", Concat>,
                                       both<"slice", Slice>, both<"gather", Gather>, both<"scatter_add", ScatterAdd>);

}  // namespace
}  // namespace tenon::gpu
