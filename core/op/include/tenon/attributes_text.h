// attributes_text.h: attributes as people and parsers read them: "axes=(0, 1), keep_dims=true".
#pragma once
#include <string>

#include "tenon/attributes.h"
#include "tenon/export.h"

namespace tenon {

/// Every field, comma-separated; nothing for an operation without attributes.
TENON_API std::string to_string(const Attributes& attributes);

/// The fields that differ from an operation's defaults.
TENON_API std::string differences(const Attributes& attributes, const Attributes& defaults);

}  // namespace tenon
