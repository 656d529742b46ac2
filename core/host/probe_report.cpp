#include "probe_report.h"

#include <nlohmann/json.hpp>

namespace tenon::host {
namespace {

using Json = nlohmann::json;

Json write(const std::optional<Error>& error) {
  if (!error) return nullptr;
  return {{"reason", static_cast<std::int32_t>(error->reason)}, {"text", error->text}, {"hint", error->hint}};
}

std::optional<Error> read_error(const Json& json) {
  if (json.is_null()) return std::nullopt;
  return Error{static_cast<Reason>(json.at("reason").get<std::int32_t>()), json.at("text"), json.at("hint")};
}

Json write(const DeviceFacts& d) {
  return {{"kind", d.kind},
          {"name", d.name},
          {"driver", d.driver},
          {"architecture", d.architecture},
          {"memory_domain", d.memory_domain},
          {"why_unusable", d.why_unusable},
          {"ordinal", d.ordinal},
          {"class", d.device_class},
          {"flags", d.flags},
          {"memory_bytes", d.memory_bytes},
          {"max_allocation_bytes", d.max_allocation_bytes},
          {"base_alignment_bytes", d.base_alignment_bytes},
          {"offset_alignment_bytes", d.offset_alignment_bytes},
          {"native_float", {d.native_float.code, d.native_float.bits, d.native_float.lanes}},
          {"usable", d.usable}};
}

Json write(const ProviderFacts& p) { return {{"name", p.name}, {"capsules", p.capsules}}; }

ProviderFacts read_provider(const Json& json) { return {json.at("name"), json.at("capsules")}; }

DeviceFacts read_device(const Json& json) {
  DeviceFacts d;
  d.kind = json.at("kind");
  d.name = json.at("name");
  d.driver = json.at("driver");
  d.architecture = json.at("architecture");
  d.memory_domain = json.at("memory_domain");
  d.why_unusable = json.at("why_unusable");
  d.ordinal = json.at("ordinal");
  d.device_class = json.at("class");
  d.flags = json.at("flags");
  d.memory_bytes = json.at("memory_bytes");
  d.max_allocation_bytes = json.at("max_allocation_bytes");
  d.base_alignment_bytes = json.at("base_alignment_bytes");
  d.offset_alignment_bytes = json.at("offset_alignment_bytes");
  const Json& dtype = json.at("native_float");
  d.native_float = {dtype.at(0).get<std::uint8_t>(), dtype.at(1).get<std::uint8_t>(), dtype.at(2).get<std::uint16_t>()};
  d.usable = json.at("usable");
  return d;
}

Json write(const VariantFacts& v) { return {{"name", v.name}, {"reason", v.reason}, {"taken", v.taken}}; }

VariantFacts read_variant(const Json& json) { return {json.at("name"), json.at("reason"), json.at("taken")}; }

ProbeReport read_report(const Json& json) {
  ProbeReport report;
  report.id = json.at("id");
  report.vendor = json.at("vendor");
  report.version = json.at("version");
  report.abi_min = json.at("abi_min");
  report.abi_max = json.at("abi_max");
  report.error = read_error(json.at("error"));
  report.warning = read_error(json.at("warning"));
  report.made_at_s = json.at("made_at_s");
  report.took_ms = json.at("took_ms");
  for (const Json& device : json.at("devices")) report.devices.push_back(read_device(device));
  for (const Json& provider : json.at("providers")) report.providers.push_back(read_provider(provider));
  for (const Json& variant : json.at("variants")) report.variants.push_back(read_variant(variant));
  return report;
}

}  // namespace

std::string to_json(const ProbeReport& report, const std::string& key) {
  Json devices = Json::array(), providers = Json::array(), variants = Json::array();
  for (const DeviceFacts& device : report.devices) devices.push_back(write(device));
  for (const ProviderFacts& provider : report.providers) providers.push_back(write(provider));
  for (const VariantFacts& variant : report.variants) variants.push_back(write(variant));
  const Json json{{"key", key},
                  {"id", report.id},
                  {"vendor", report.vendor},
                  {"version", report.version},
                  {"abi_min", report.abi_min},
                  {"abi_max", report.abi_max},
                  {"error", write(report.error)},
                  {"warning", write(report.warning)},
                  {"made_at_s", report.made_at_s},
                  {"took_ms", report.took_ms},
                  {"providers", providers},
                  {"variants", variants},
                  {"devices", devices}};
  return json.dump(-1, ' ', false, Json::error_handler_t::replace) + "\n";
}

std::optional<ProbeReport> report_from_json(std::string_view text, const std::string& key) {
  const Json json = Json::parse(text, nullptr, false);
  if (!json.is_object() || json.value("key", Json()) != key) return std::nullopt;
  try {
    return read_report(json);
  } catch (const Json::exception&) {  // a file of another version, or a damaged one: as good as none
    return std::nullopt;
  }
}

}  // namespace tenon::host
