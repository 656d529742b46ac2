#include "tenon/manifest.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "tenon/plugin.h"
#include "tenon/text.h"
#include "text_file.h"

namespace tenon {
namespace {

using Json = nlohmann::json;

constexpr int schema = 1;

/// Line breaks, escapes and the like, of ASCII or of Unicode's second set (U+0080 to U+009F, in UTF-8): they would
/// reach terminals and logs.
bool holds_control_character(std::string_view text) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const auto c = static_cast<unsigned char>(text[i]);
    if (c < 0x20 || c == 0x7f) return true;
    if (c == 0xc2 && i + 1 < text.size() && static_cast<unsigned char>(text[i + 1]) < 0xa0) return true;
  }
  return false;
}

constexpr std::string_view small_letters = "abcdefghijklmnopqrstuvwxyz", capitals = "ABCDEFGHIJKLMNOPQRSTUVWXYZ";

/// Of those letters, digits, _ . and -: what a device word can hold.
bool is_name(std::string_view word, std::string_view letters, std::string_view more_letters = {}) {
  const auto fits = [&](char c) {
    return letters.find(c) != letters.npos || more_letters.find(c) != more_letters.npos || (c >= '0' && c <= '9') ||
           c == '_' || c == '.' || c == '-';
  };
  return std::ranges::all_of(word, fits);
}

/// One manifest being read: gives fields by name, and errors that name file and field.
class Reader {
 public:
  explicit Reader(const std::filesystem::path& file) : file_(file) {}

  tl::unexpected<Error> refuse(const std::string& what) const {
    return fail(Reason::MANIFEST_INVALID, "[manifest] " + file_.string() + ": " + what);
  }

  result<const Json*> field(const Json& object, const std::string& name, Json::value_t type) const {
    const auto at = object.find(name);
    if (at == object.end()) return refuse("field '" + name + "' is missing");
    if (!same_type(at->type(), type)) return mistyped(name, Json(type).type_name(), *at);
    return &*at;
  }

  result<std::string> text(const Json& object, const std::string& name) const {
    TENON_TRY(const Json* value, field(object, name, Json::value_t::string));
    std::string words = value->get<std::string>();
    if (holds_control_character(words)) return refuse("field '" + name + "' holds a control character");
    return words;
  }

  result<std::string> nonempty(const Json& object, const std::string& name) const {
    TENON_TRY(std::string value, text(object, name));
    if (value.empty()) return refuse("field '" + name + "' is empty");
    return value;
  }

  result<std::string> small_name(const Json& object, const std::string& name) const {
    TENON_TRY(std::string value, nonempty(object, name));
    if (is_name(value, small_letters)) return value;
    return refuse("field '" + name + "' is '" + value + "', expected small letters, digits, _ . and -");
  }

  result<std::string> name(const Json& object, const std::string& name) const {
    TENON_TRY(std::string value, nonempty(object, name));
    if (is_name(value, small_letters, capitals)) return value;
    return refuse("field '" + name + "' is '" + value + "', expected letters, digits, _ . and -");
  }

  tl::unexpected<Error> mistyped(const std::string& name, const std::string& expected, const Json& found) const {
    return refuse("field '" + name + "' is of the wrong type: found " + found.type_name() + ", expected " + expected);
  }

  const std::filesystem::path& file() const { return file_; }

 private:
  static bool same_type(Json::value_t a, Json::value_t b) {
    return a == b || (a == Json::value_t::number_unsigned && b == Json::value_t::number_integer);
  }

  const std::filesystem::path& file_;
};

result<std::string> read_text(const std::filesystem::path& file) {
  std::error_code ignored;
  if (!std::filesystem::exists(file, ignored))
    return fail(Reason::FILE_NOT_FOUND, "[manifest] " + file.string() + ": the file does not exist");
  auto text = host::read_text_file(file);
  if (!text) return fail(Reason::FILE_UNREADABLE, "[manifest] " + file.string() + ": the file cannot be read");
  return *std::move(text);
}

result<void> check_schema(const Reader& reader, const Json& root) {
  const auto value = root.find("schema");
  if (value != root.end() && value->is_number() && (!value->is_number_integer() || *value != schema))
    return reader.refuse("field 'schema' is " + value->dump() + ", this Tenon reads " + std::to_string(schema));
  TENON_CHECK(reader.field(root, "schema", Json::value_t::number_integer));
  return {};
}

std::optional<std::uint32_t> parse_version(const std::string& text) {
  const std::size_t dot = text.find('.');
  if (dot == std::string::npos) return std::nullopt;
  const auto major = parse_unsigned(text.substr(0, dot)), minor = parse_unsigned(text.substr(dot + 1));
  if (!major || !minor || *major > 0xffff || *minor > 0xffff) return std::nullopt;
  return TENON_ABI_VERSION(*major, *minor);
}

result<std::uint32_t> abi_version(const Reader& reader, const Json& range, const std::string& name) {
  TENON_TRY(const std::string text, reader.text(range, name));
  const auto version = parse_version(text);
  if (!version) return reader.refuse("field 'abi." + name + "' is '" + text + "', expected major.minor");
  return *version;
}

result<void> read_abi(const Reader& reader, const Json& root, Manifest& manifest) {
  TENON_TRY(const Json* range, reader.field(root, "abi", Json::value_t::object));
  TENON_TRY(manifest.abi_min, abi_version(reader, *range, "min"));
  TENON_TRY(manifest.abi_max, abi_version(reader, *range, "max"));
  if (manifest.abi_min > manifest.abi_max) return reader.refuse("field 'abi': min is greater than max");
  return {};
}

result<ManifestDevice> read_device(const Reader& reader, const Json& object) {
  if (!object.is_object()) return reader.mistyped("devices", "objects", object);
  ManifestDevice device;
  TENON_TRY(device.kind, reader.small_name(object, "kind"));
  TENON_TRY(device.device_class, reader.text(object, "class"));
  TENON_TRY(const Json* software, reader.field(object, "software", Json::value_t::boolean));
  device.software = software->get<bool>();
  if (device.kind == "auto") return reader.refuse("field 'kind' is 'auto', which stands for the choice of a device");
  const std::string& c = device.device_class;
  if (c != "cpu" && c != "gpu" && c != "npu" && c != "other")
    return reader.refuse("field 'class' is '" + c + "', expected cpu, gpu, npu or other");
  return device;
}

result<void> read_devices(const Reader& reader, const Json& root, Manifest& manifest) {
  TENON_TRY(const Json* list, reader.field(root, "devices", Json::value_t::array));
  for (const Json& object : *list) {
    TENON_TRY(ManifestDevice device, read_device(reader, object));
    if (std::ranges::find(manifest.devices, device.kind, &ManifestDevice::kind) != manifest.devices.end())
      return reader.refuse("field 'devices' brings the kind '" + device.kind + "' twice");
    manifest.devices.push_back(std::move(device));
  }
  return {};
}

result<std::filesystem::path> read_library(const Reader& reader, const Json& root) {
  TENON_TRY(const std::string text, reader.nonempty(root, "library"));
  const std::filesystem::path relative(text);
  if (relative.is_absolute())
    return reader.refuse("field 'library' is absolute: " + text + ", expected a path relative to the manifest");
  if (!relative.has_filename()) return reader.refuse("field 'library' is '" + text + "', expected a file");
  std::error_code ignored;
  return (std::filesystem::absolute(reader.file(), ignored).parent_path() / relative).lexically_normal();
}

result<Manifest> read_fields(const Reader& reader, const Json& root) {
  if (!root.is_object()) return reader.refuse("it is not a JSON object");
  TENON_CHECK(check_schema(reader, root));
  Manifest manifest;
  TENON_TRY(manifest.id, reader.small_name(root, "id"));
  TENON_TRY(manifest.vendor, reader.name(root, "vendor"));
  TENON_TRY(manifest.version, reader.nonempty(root, "version"));
  TENON_TRY(manifest.library, read_library(reader, root));
  TENON_CHECK(read_devices(reader, root, manifest));
  TENON_CHECK(read_abi(reader, root, manifest));
  TENON_TRY(manifest.architecture, reader.nonempty(root, "architecture"));
  TENON_TRY(manifest.build_id, reader.text(root, "build_id"));
  return manifest;
}

}  // namespace

result<Manifest> read_manifest(const std::filesystem::path& file) {
  TENON_TRY(const std::string text, read_text(file));
  const Json root = Json::parse(text, nullptr, false);
  const Reader reader(file);
  if (root.is_discarded()) return reader.refuse("it is not JSON");
  return read_fields(reader, root);
}

}  // namespace tenon
