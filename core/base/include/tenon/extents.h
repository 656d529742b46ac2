// extents.h: names of extents at run time: read from text, and replaced by the numbers that they stand for. Plain
// values and pure functions; any thread.
#pragma once
#include <string>
#include <vector>

#include "tenon/shape.h"

namespace tenon {

/// What stands for an unknown extent: the name's code or dyn, and its number.
struct BoundExtent {
  Extent name;
  Extent number;
};

/// The code of a name of one to twelve small letters; nothing for other words and for `dyn`.
TENON_API std::optional<Extent> named_extent(std::string_view word);

/// "32", "batch" or "dyn".
TENON_API std::optional<Extent> parse_extent(std::string_view word);

/// The word that parse_extent reads as that extent.
TENON_API std::string extent_text(Extent extent);

/// Is `found` a shape of the kind `declared`? Names that stand for nothing yet are bound to the numbers found.
TENON_API bool match_extents(const Shape& declared, const Shape& found, std::vector<BoundExtent>& bound);

/// The shape with every bound extent replaced; others stay.
TENON_API Shape bind_extents(Shape shape, std::span<const BoundExtent> bound);

}  // namespace tenon
