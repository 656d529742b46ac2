// attributes_text.h: attributes as people and parsers read them: "axes=(0, 1), keep_dims=true".
#pragma once
#include <string>
#include <vector>

#include "tenon/attributes.h"
#include "tenon/extents.h"
#include "tenon/line_scanner.h"

namespace tenon {

struct OpSpec;

/// Every field, comma-separated; nothing for an operation without attributes.
TENON_API std::string to_string(const Attributes& attributes);

/// The fields that differ from an operation's defaults.
TENON_API std::string differences(const Attributes& attributes, const Attributes& defaults);

/// The attributes of an operation from such a text; fields that are left out have their defaults. FILE_MALFORMED names
/// the field: unknown, repeated, or with a value that is none of its kind.
TENON_API result<Attributes> parse_attributes(const OpSpec& row, std::string_view text);

/// The same inside a line: what stands between braces, or the defaults where no brace is next.
TENON_API result<Attributes> parse_attributes(const OpSpec& row, LineScanner& line);

/// The attributes with every bound extent of a `shape` replaced.
TENON_API Attributes bind_extents(Attributes attributes, std::span<const BoundExtent> bound);

/// The field `shape`; of rank 0 where there is none.
TENON_API Shape shape_in(const Attributes& attributes);
/// The names of extents that stand in it.
TENON_API std::vector<Extent> names_in(const Attributes& attributes);

}  // namespace tenon
