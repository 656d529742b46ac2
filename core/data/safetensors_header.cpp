// The only file of this layer that compiles the JSON library.
#include "safetensors_header.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <bitset>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "words.h"

namespace tenon::data {
namespace {

using nlohmann::json;

constexpr std::string_view metadata_key = "__metadata__";

constexpr auto dtype_names =
    std::to_array<std::pair<std::string_view, DType>>({{"F32", DType::f32}, {"F64", DType::f64}, {"U32", DType::u32}});

constexpr std::array<std::string_view, 3> fields = {"dtype", "shape", "data_offsets"};

/// Takes the header's values one by one as the parser meets them, so that names given twice are seen and a hostile
/// header builds no tree in memory. A function that answers false stops the parser.
class HeaderListener final : public nlohmann::json_sax<json> {
 public:
  tl::expected<Header, std::string> take(bool parsed) {
    if (!parsed) return tl::unexpected(std::move(flaw_));
    return std::move(header_);
  }

  bool null() override { return refuse_value("null"); }
  bool boolean(bool value) override { return refuse_value(value ? "true" : "false"); }
  bool binary(binary_t&) override { return refuse_value("binary"); }
  bool number_integer(number_integer_t value) override { return refuse_value(std::to_string(value)); }
  bool number_float(number_float_t, const string_t& text) override { return refuse_value(printable(text)); }
  bool number_unsigned(number_unsigned_t value) override;
  bool string(string_t& value) override;
  bool key(string_t& value) override;
  bool start_object(std::size_t) override;
  bool end_object() override;
  bool start_array(std::size_t) override;
  bool end_array() override;
  bool parse_error(std::size_t position, const std::string& last, const json::exception&) override;

 private:
  enum class Place { before, top, metadata, tensor, shape, offsets };

  HeaderEntry& entry() { return header_.entries.back(); }
  bool is_field(std::string_view name) const { return place_ == Place::tensor && key_ == name; }
  bool enter(Place place);
  bool take_tensor_key(const std::string& name);
  bool take_dtype(const std::string& name);
  bool take_extent(std::uint64_t value);
  bool take_offset(std::uint64_t value);
  std::string where() const;
  std::string expected_value() const;
  bool refuse(std::string_view what);
  bool refuse_value(std::string_view found);

  Header header_;
  std::set<std::string> names_;  // of tensors, and metadata_key
  std::bitset<fields.size()> given_;
  std::size_t offsets_given_ = 0;
  Place place_ = Place::before;
  std::string name_;  // the last key of the header
  std::string key_;   // the last key below it
  std::string flaw_;
};

bool HeaderListener::enter(Place place) {
  place_ = place;
  return true;
}

bool HeaderListener::start_object(std::size_t) {
  if (place_ == Place::before) return enter(Place::top);
  if (place_ != Place::top) return refuse_value("an object");
  key_.clear();
  if (name_ == metadata_key) return enter(Place::metadata);
  header_.entries.push_back({name_, {}, {}, 0, 0});
  given_.reset();
  return enter(Place::tensor);
}

bool HeaderListener::end_object() {
  const bool is_tensor = place_ == Place::tensor;
  key_.clear();
  place_ = Place::top;
  if (!is_tensor || given_.all()) return true;
  const auto missing = std::ranges::find_if(fields, [&, i = std::size_t{0}](auto) mutable { return !given_[i++]; });
  return refuse(fmt::format("{}: found no {}, expected dtype, shape and data_offsets", where(), *missing));
}

bool HeaderListener::key(string_t& value) {
  if (place_ == Place::tensor) return take_tensor_key(value);
  if (place_ == Place::metadata) {
    key_ = value;
    if (header_.metadata.emplace(value, "").second) return true;
    return refuse(fmt::format("metadata: found {} twice, expected different names", quote(value)));
  }
  name_ = value;
  if (names_.insert(value).second) return true;
  return refuse(fmt::format("{}: found twice, expected different names", where()));
}

bool HeaderListener::take_tensor_key(const std::string& name) {
  key_ = name;
  const auto field = static_cast<std::size_t>(std::ranges::find(fields, name) - fields.begin());
  if (field == fields.size()) {
    key_.clear();
    return refuse(fmt::format("{}: found {}, expected dtype, shape and data_offsets", where(), quote(name)));
  }
  if (given_[field]) return refuse(fmt::format("{}: found twice, expected once", where()));
  given_.set(field);
  return true;
}

bool HeaderListener::string(string_t& value) {
  if (is_field("dtype")) return take_dtype(value);
  if (place_ != Place::metadata) return refuse_value(quote(value));
  header_.metadata[key_] = value;
  return true;
}

bool HeaderListener::take_dtype(const std::string& name) {
  const auto found = std::ranges::find(dtype_names, name, &std::pair<std::string_view, DType>::first);
  if (found == dtype_names.end()) {
    return refuse(
        fmt::format("unsupported dtype {} of {}, expected F32, F64 or U32", printable(name), tensor_words(name_)));
  }
  entry().dtype = found->second;
  return true;
}

bool HeaderListener::start_array(std::size_t) {
  offsets_given_ = 0;
  if (is_field("shape")) return enter(Place::shape);
  if (is_field("data_offsets")) return enter(Place::offsets);
  return refuse_value("a list");
}

bool HeaderListener::end_array() {
  if (place_ == Place::offsets && offsets_given_ != 2) return refuse_value(fmt::format("{} numbers", offsets_given_));
  return enter(Place::tensor);
}

bool HeaderListener::number_unsigned(number_unsigned_t value) {
  if (place_ == Place::shape) return take_extent(value);
  if (place_ == Place::offsets) return take_offset(value);
  return refuse_value(std::to_string(value));
}

bool HeaderListener::take_extent(std::uint64_t value) {
  if (!std::in_range<Extent>(value)) return refuse_value(std::to_string(value));
  if (entry().shape.rank == max_rank) {
    return refuse(fmt::format("{}: found more than {} axes, expected at most that", where(), max_rank));
  }
  entry().shape.push_back(static_cast<Extent>(value));
  return true;
}

bool HeaderListener::take_offset(std::uint64_t value) {
  if (offsets_given_ == 2) return refuse_value("more than two numbers");
  (offsets_given_++ == 0 ? entry().begin : entry().end) = value;
  return true;
}

/// A syntax error; the library's own text repeats raw bytes of the file.
bool HeaderListener::parse_error(std::size_t position, const std::string& last, const json::exception&) {
  return refuse(fmt::format("found {} at byte {} of the header, expected JSON", quote(last), position));
}

std::string HeaderListener::where() const {
  if (place_ == Place::before) return "the header";
  const std::string name = name_ == metadata_key ? "metadata" : tensor_words(name_);
  return key_.empty() ? name : fmt::format("{}: {}", name, printable(key_));
}

std::string HeaderListener::expected_value() const {
  switch (place_) {
    case Place::before:
      return "a JSON object";
    case Place::top:
      return "an object";
    case Place::metadata:
      return "a text";
    case Place::shape:
      return "whole numbers from 0 to 2^63-1";
    case Place::offsets:
      return "two whole numbers";
    case Place::tensor:
      break;
  }
  return is_field("dtype") ? "a text" : "a list of whole numbers";
}

bool HeaderListener::refuse(std::string_view what) {
  flaw_ = what;
  return false;
}

bool HeaderListener::refuse_value(std::string_view found) {
  return refuse(fmt::format("{}: found {}, expected {}", where(), found, expected_value()));
}

std::string text_of(std::string_view text) { return json(text).dump(); }

std::string metadata_text(const std::map<std::string, std::string>& metadata) {
  std::string out;
  for (const auto& [name, text] : metadata) {
    out += fmt::format("{}{}:{}", out.empty() ? "" : ",", text_of(name), text_of(text));
  }
  return '{' + out + '}';
}

std::string entry_text(const HeaderEntry& entry) {
  return fmt::format(R"({}:{{"dtype":"{}","shape":[{}],"data_offsets":[{},{}]}})", text_of(entry.name),
                     safetensors_name(entry.dtype), fmt::join(entry.shape.extents(), ","), entry.begin, entry.end);
}

}  // namespace

std::string_view safetensors_name(DType dtype) {
  return std::ranges::find(dtype_names, dtype, &std::pair<std::string_view, DType>::second)->first;
}

std::string tensor_words(std::string_view name) { return "tensor " + printable(name, 200); }

tl::expected<Header, std::string> parse_header(std::string_view text) {
  if (!text.starts_with('{')) {
    return tl::unexpected(fmt::format("found {} as header, expected a JSON object", quote(text)));
  }
  // The library takes a NUL for the end of the text and would not see what follows.
  const std::size_t nul = text.find('\0');
  if (nul != std::string_view::npos) {
    return tl::unexpected(fmt::format("found a NUL at byte {} of the header, expected JSON", nul));
  }
  HeaderListener listener;
  return listener.take(json::sax_parse(text.begin(), text.end(), &listener));
}

std::string write_header(const Header& header) {
  std::string out;
  if (!header.metadata.empty()) out = fmt::format("\"{}\":{}", metadata_key, metadata_text(header.metadata));
  for (const HeaderEntry& entry : header.entries) out.append(out.empty() ? "" : ",").append(entry_text(entry));
  return '{' + out + '}';
}

}  // namespace tenon::data
