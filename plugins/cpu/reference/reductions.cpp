// Reductions: the elements along some axes, in row-major order with the axes ascending, become one.
#include <limits>

#include "provider.h"
#include "walk.h"

namespace tenon::cpu::reference {
namespace {

/// How an operand falls into groups: walk over the groups along the axes that stay, and inside one along the others.
struct Groups {
  Walk groups, members;

  explicit Groups(const SignatureView& signature) {
    const auto shape = signature.operand(0).shape();
    const std::vector<std::int64_t> strides = dense_strides(shape);
    const std::vector<bool> reduced = reduced_axes(signature, shape.size());
    for (std::size_t axis = 0; axis < shape.size(); ++axis) {
      (reduced[axis] ? members : groups).push_back(shape[axis], strides[axis]);
    }
  }

 private:
  /// The axes named; all if none is. Negative ones count from the end.
  static std::vector<bool> reduced_axes(const SignatureView& signature, std::size_t rank) {
    const auto axes = signature.integers("axes");
    std::vector<bool> reduced(rank, axes.empty());
    for (const std::int64_t named : axes) {
      const auto axis = static_cast<std::size_t>(named < 0 ? named + static_cast<std::int64_t>(rank) : named);
      if (axis >= rank) plugin::refuse("[", signature.op(), "] axis ", named, " of a tensor of rank ", rank);
      if (reduced[axis]) plugin::refuse("[", signature.op(), "] axis ", named, " is named twice");
      reduced[axis] = true;
    }
    return reduced;
  }
};

/// A group's elements as a function of their number.
template <class T, class Body>
T with_members(const Walk& members, const T* first, const Body& body) {
  if (members.is_line()) {
    const std::int64_t stride = members.stride();
    return body([=](std::uint64_t i) { return first[static_cast<std::int64_t>(i) * stride]; });
  }
  return body([=, &members](std::uint64_t i) { return first[members.offset(i)]; });
}

constexpr auto axes_attributes = plugin::names("axes", "keep_dims");  // keep_dims matters to the shape alone

// -- what becomes of a group: a function of how many there are and of each ----------------------------------

template <class T>
struct Sum {
  static constexpr std::uint32_t order = TENON_REDUCTION_FIXED_TREE;
  static void check(const Groups&) {}
  template <class At>
  T operator()(std::uint64_t count, const At& at) const {
    return strict::tree_sum<T>(count, at);
  }
};

template <class T>
struct Mean {
  static constexpr std::uint32_t order = TENON_REDUCTION_FIXED_TREE;
  static void check(const Groups&) {}
  template <class At>
  T operator()(std::uint64_t count, const At& at) const {
    if (count == 0) return std::numeric_limits<T>::quiet_NaN();
    return strict::tree_sum<T>(count, at) / static_cast<T>(count);
  }
};

template <class T>
struct Max {
  static constexpr std::uint32_t order = TENON_NOT_APPLICABLE;
  static void check(const Groups& groups) {
    if (groups.members.count() == 0 && groups.groups.count() != 0) plugin::refuse("[reduce_max] of no elements");
  }
  template <class At>
  T operator()(std::uint64_t count, const At& at) const {
    T greatest = at(0);
    for (std::uint64_t i = 1; i < count; ++i) greatest = strict::maximum(greatest, at(i));
    return greatest;
  }
};

template <class T, template <class> class Rule>
class Reduction {
 public:
  using dtypes = T(T);
  static constexpr auto attributes = axes_attributes;
  static constexpr tenon_numerics numerics = plugin::strict_numerics(Rule<T>::order);

  explicit Reduction(const SignatureView& signature) : axes_(signature) { Rule<T>::check(axes_); }

  void operator()(const Arguments& arguments) const {
    const T* x = arguments.operand<T>(0);
    T* output = arguments.output<T>();
    const auto grain = rows_per_range(axes_.members.count());
    plugin::for_ranges(axes_.groups.count(), grain, [=, this](std::uint64_t begin, std::uint64_t end) {
      for (std::uint64_t group = begin; group < end; ++group) output[group] = reduce(at(x, axes_.groups.offset(group)));
    });
  }
  std::uint64_t flops() const { return axes_.groups.count() * axes_.members.count(); }

 private:
  /// A tensor without elements has no address to count from.
  static const T* at(const T* x, std::int64_t offset) { return x == nullptr ? x : x + offset; }

  T reduce(const T* first) const {
    return with_members(axes_.members, first, [&](const auto& at) { return Rule<T>()(axes_.members.count(), at); });
  }
  Groups axes_;
};

template <class T>
using ReduceSum = Reduction<T, Sum>;
template <class T>
using ReduceMean = Reduction<T, Mean>;
template <class T>
using ReduceMax = Reduction<T, Max>;

/// (x, y, upstream), y = reduce_max(x): each of the greatest elements gets the same share of upstream.
template <class T>
class ReduceMaxGrad {
 public:
  using dtypes = T(T, T, T);
  static constexpr auto attributes = axes_attributes;
  static constexpr bool differentiable = false;

  explicit ReduceMaxGrad(const SignatureView& signature) : axes_(signature) {}

  void operator()(const Arguments& arguments) const {
    for (std::uint64_t group = 0; group < axes_.groups.count(); ++group) {
      const std::int64_t first = axes_.groups.offset(group);
      spread(arguments.operand<T>(0) + first, arguments.operand<T>(1)[group], arguments.operand<T>(2)[group],
             arguments.output<T>() + first);
    }
  }

 private:
  void spread(const T* x, T greatest, T upstream, T* output) const {
    const Walk& members = axes_.members;
    std::uint64_t winners = 0;
    for (std::uint64_t i = 0; i < members.count(); ++i) winners += x[members.offset(i)] == greatest ? 1 : 0;
    const T share = upstream / static_cast<T>(winners);
    for (std::uint64_t i = 0; i < members.count(); ++i) {
      const std::int64_t at = members.offset(i);
      output[at] = x[at] == greatest ? share : T(0);
    }
  }
  Groups axes_;
};

TENON_CAPSULES capsules = plugin::join(both<"reduce_sum", ReduceSum>, both<"reduce_mean", ReduceMean>,
                                       both<"reduce_max", ReduceMax>, both<"reduce_max_grad", ReduceMaxGrad>);

}  // namespace
}  // namespace tenon::cpu::reference
