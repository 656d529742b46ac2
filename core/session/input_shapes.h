// input_shapes.h: the shapes that a batch gives to a program's inputs. One thread at a time.
#pragma once
#include <vector>

#include "tenon/session.h"

namespace tenon {

/// Binds each named extent to one number. Allocates nothing once it has bound as many inputs before.
class InputShapes {
 public:
  /// The shapes of all inputs for `given`; those that a forward program does not take (it takes the first ones only)
  /// keep their unknown extents. DATA_MISMATCH where a shape is not one of its input's, or where a name would be two
  /// numbers. Valid until the next call.
  result<std::span<const Shape>> bind(const Program& program, bool forward, const Batch& given);

  /// The shapes for an announced batch size: `batch` is `rows`, every other name nominal_extent, since any number must
  /// do. Nothing where an extent is dyn.
  static std::optional<std::vector<Shape>> announced(const Program& program, std::uint64_t rows);

 private:
  struct Binding {
    Extent name, value;
    const InputSpec* from;
  };
  result<void> add(const InputSpec& input, const Shape& shape);
  result<void> bind_name(const InputSpec& input, Extent name, Extent value);

  std::vector<Shape> shapes_;
  std::vector<Binding> names_;
};

}  // namespace tenon
