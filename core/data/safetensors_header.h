// safetensors_header.h: the JSON header of a safetensors file, as text and as values. Private to the data layer.
//
// Pure functions over plain values. Errors are the words after "[safetensors] FILE: ".
#pragma once
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <tl/expected.hpp>
#include <vector>

#include "tenon/dtype.h"
#include "tenon/error.h"
#include "tenon/shape.h"

namespace tenon::data {

inline constexpr std::uint64_t header_limit_bytes = std::uint64_t{8} << 20;

struct HeaderEntry {
  std::string name;
  DType dtype = DType::f32;
  Shape shape;
  std::uint64_t begin = 0, end = 0;  // offsets into the data
};

struct Header {
  std::map<std::string, std::string> metadata;
  std::vector<HeaderEntry> entries;
};

/// "F32".
std::string_view safetensors_name(DType dtype);

/// "tensor NAME".
std::string tensor_words(std::string_view name);

/// The values that a header states, each of its kind; whether they fit together is check_layout's to say.
tl::expected<Header, std::string> parse_header(std::string_view text);

/// What is wrong with shapes and offsets, given the size of the data; empty: nothing.
std::string check_layout(const Header& header, std::uint64_t data_bytes);

/// The text of a header, without blanks at its end. All texts in it must be UTF-8.
std::string write_header(const Header& header);

}  // namespace tenon::data
