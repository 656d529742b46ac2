#include "input_shapes.h"

#include <algorithm>

#include "tenon/extents.h"
#include "trace.h"

namespace tenon {
namespace {

Shape with_rows(Shape shape, std::uint64_t rows) {
  for (Extent& e : shape.extents())
    if (e == batch) e = static_cast<Extent>(rows);
  return shape;
}

tl::unexpected<Error> mismatch(const InputSpec& input, const std::string& found) {
  return fail(Reason::DATA_MISMATCH,
              "[session] input " + input.name + ": found " + found + ", expected " + to_string(input.shape));
}

/// How many inputs of each kind a program takes.
std::size_t taken(const Program& program, Kind kind, bool forward, const LeafCounts& counts) {
  if (kind == Kind::real) return forward ? program.forward_reals : counts.reals;
  return forward ? program.forward_naturals : counts.naturals;
}

}  // namespace

result<void> InputShapes::bind_name(const InputSpec& input, Extent name, Extent value) {
  const auto known = std::ranges::find(names_, name, &Binding::name);
  if (known == names_.end()) return names_.push_back({name, value, &input}), result<void>{};
  if (known->value == value) return {};
  return fail(Reason::DATA_MISMATCH, "[session] " + extent_text(name) + ": found " + std::to_string(value) +
                                         " in input " + input.name + ", expected " + std::to_string(known->value) +
                                         " as in input " + known->from->name);
}

result<void> InputShapes::add(const InputSpec& input, const Shape& shape) {
  if (shape.rank != input.shape.rank || !is_static(shape) || !checked_elements(shape))
    return mismatch(input, to_string(shape));
  for (int axis = 0; axis < shape.rank; ++axis) {
    const Extent wanted = input.shape[axis];
    if (is_named(wanted)) TENON_CHECK(bind_name(input, wanted, shape[axis]));
    if (is_known(wanted) && wanted != shape[axis]) return mismatch(input, to_string(shape));
  }
  shapes_.push_back(shape);
  return {};
}

result<std::span<const Shape>> InputShapes::bind(const Program& program, bool forward, const Batch& given) {
  shapes_.clear();
  names_.clear();
  const LeafCounts counts = leaf_counts(program);
  const std::size_t all = given.reals.size() + given.naturals.size();
  if (!given.shapes.empty() && given.shapes.size() != all)
    return fail(Reason::INVALID_ARGUMENT, "[session] batch: found " + std::to_string(given.shapes.size()) +
                                              " shapes, expected " + std::to_string(all) + ", one for each input");
  if (given.reals.size() > counts.reals || given.naturals.size() > counts.naturals)
    return fail(Reason::DATA_MISMATCH, "[session] batch: found " + std::to_string(given.reals.size()) + " real and " +
                                           std::to_string(given.naturals.size()) +
                                           " natural inputs, expected at most " + std::to_string(counts.reals) +
                                           " and " + std::to_string(counts.naturals));
  for (std::size_t i = 0; i < program.inputs.size(); ++i) {
    const InputSpec& input = program.inputs[i];
    const bool real = input.kind == Kind::real;
    const std::size_t place = real ? i : i - counts.reals;
    if (place >= taken(program, input.kind, forward, counts)) {
      shapes_.push_back(input.shape);  // a target, which the forward program does not see
    } else if (place >= (real ? given.reals.size() : given.naturals.size())) {
      return fail(Reason::DATA_MISMATCH, "[session] input " + input.name + " is missing from the batch");
    } else if (given.shapes.empty()) {
      const Shape shape = with_rows(input.shape, given.rows);
      if (!is_static(shape)) return mismatch(input, "no shape");
      TENON_CHECK(add(input, shape));
    } else {
      TENON_CHECK(add(input, given.shapes[real ? place : given.reals.size() + place]));
    }
  }
  return std::span<const Shape>(shapes_);
}

std::optional<std::vector<Shape>> InputShapes::announced(const Program& program, std::uint64_t rows) {
  std::vector<Shape> shapes;
  for (const InputSpec& input : program.inputs) {
    Shape& shape = shapes.emplace_back(with_rows(input.shape, rows));
    std::ranges::replace_if(shape.extents(), is_named, nominal_extent);
    if (!is_static(shape)) return std::nullopt;
  }
  return shapes;
}

}  // namespace tenon
