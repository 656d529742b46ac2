#include "json_output.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "explain.h"
#include "search_listing.h"
#include "table.h"
#include "tenon/abi_values.h"
#include "tenon/attributes_text.h"
#include "tenon/capsule_text.h"
#include "tenon/operation_text.h"

namespace tenon::cli {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 (file names may hold any) are replaced rather than refused.
std::string text(const Json& json) { return json.dump(2, ' ', false, Json::error_handler_t::replace) + "\n"; }

Json reason(const std::optional<Error>& error) {
  if (!error) return nullptr;
  const ReasonInfo& row = info(error->reason);
  return {{"code", row.name}, {"number", static_cast<int>(error->reason)}, {"text", error->text}};
}

Json or_null(const std::string& word) { return word.empty() ? Json() : Json(word); }

void add_facts(Json& out, const DeviceFacts& facts) {
  out["name"] = facts.name;
  out["driver"] = facts.driver;
  out["architecture"] = facts.architecture;
  out["software"] = facts.software();
  out["memory_bytes"] = facts.memory_bytes;
  out["max_allocation_bytes"] = facts.max_allocation_bytes;
  out["memory_domain"] = facts.memory_domain;
  out["native_float"] = to_string(facts.native_float);
}

Json providers_json(std::span<const ProviderFacts> providers) {
  Json out = Json::array();
  for (const ProviderFacts& p : providers) out.push_back({{"name", p.name}, {"capsules", p.capsules}});
  return out;
}

Json variants_json(std::span<const VariantFacts> variants) {
  Json out = Json::array();
  for (const VariantFacts& v : variants)
    out.push_back({{"name", v.name}, {"taken", v.taken}, {"reason", or_null(v.reason)}});
  return out;
}

Json device_json(const SurveyedDevice& d) {
  Json out{
      {"device", or_null(d.device)}, {"state", name(d.state)}, {"class", or_null(d.device_class)}, {"plugin", nullptr}};
  if (!d.plugin.empty()) out["plugin"] = {{"id", d.plugin}, {"version", d.version}, {"file", d.file}};
  if (!d.facts.kind.empty()) add_facts(out, d.facts);
  if (d.probe_ms) {
    out["providers"] = providers_json(d.providers);
    out["probe_ms"] = *d.probe_ms;
  }
  out["variants"] = variants_json(d.variants);
  out["reason"] = reason(d.error);
  return out;
}

Json candidate_json(const Candidate& c) {
  const PluginState known = known_state(c);
  Json devices = Json::array();
  for (const ManifestDevice& d : c.manifest.devices)
    devices.push_back({{"kind", d.kind}, {"class", d.device_class}, {"software", d.software}});
  return {{"id", c.manifest.id},
          {"vendor", c.manifest.vendor},
          {"version", c.manifest.version},
          {"origin", name(c.origin)},
          {"file", c.file.string()},
          {"library", c.manifest.library.string()},
          {"devices", devices},
          {"state", known.word},
          {"usable", known.usable ? Json(*known.usable) : Json()},
          {"own", c.own},
          {"reason", reason(known.error)}};
}

Json folder_json(const SearchedFolder& folder) {
  Json files = Json::array();
  for (const FoundFile& f : folder.files)
    files.push_back({{"file", f.file.string()}, {"taken", f.taken}, {"code", or_null(f.code)}, {"words", f.words}});
  return {{"origin", name(folder.origin)},
          {"path", folder.path.string()},
          {"exists", folder.exists},
          {"state", or_null(folder.state)},
          {"files", files}};
}

Json numerics_json(const tenon_numerics& n) {
  return {{"strict", (n.flags & TENON_NUMERICS_STRICT) != 0},
          {"rounding", rounding_text(n)},
          {"subnormals", subnormals_text(n)},
          {"contraction", contraction_text(n)},
          {"reduction", reduction_text(n)}};
}

Json capsule_json(const tenon_capsule& c, const LoadedPlugin& plugin) {
  return {{"op", c.op},
          {"capsule", c.name},
          {"plugin", plugin.id()},
          {"provider", c.provider},
          {"dtypes", dtype_words(c)},
          {"numerics", numerics_json(*c.numerics)},
          {"trust", trust_text(c.trust)}};
}

Json model_json(const ModelKind& m) {
  Json flags = Json::array();
  if (m.has_hidden_layers) flags.push_back("--hidden");
  return {{"model", m.name},    {"task", name(m.task)}, {"summary", m.summary},
          {"epochs", m.epochs}, {"rate", m.rate},       {"flags", flags}};
}

Json rejection_json(const Rejection& r) {
  return {{"capsule", r.capsule},
          {"code", info(r.reason).name},
          {"number", static_cast<int>(r.reason)},
          {"detail", r.detail}};
}

Json choice_json(const Choice& choice) {
  if (choice.capsule == nullptr) return nullptr;
  const tenon_capsule& c = *choice.capsule;
  const LoadedPlugin& plugin = *choice.plugin;
  return {
      {"name", c.name},
      {"why", choice.why},
      {"plugin",
       {{"id", plugin.id()}, {"version", plugin.version()}, {"file", plugin.candidate().manifest.library.string()}}},
      {"provider", c.provider},
      {"trust", trust_text(c.trust)},
      {"numerics", numerics_json(*c.numerics)}};
}

Json operation_json(const ExplainedOperation& operation, const ExplainedPart& part) {
  Json rejected = Json::array();
  for (const Rejection& r : operation.choice.rejected) rejected.push_back(rejection_json(r));
  return {{"op", name(operation.node.op)},
          {"text", operation_text(operation.node, part.recorded.graph.types())},
          {"request", to_string(operation.request)},
          {"capsule", choice_json(operation.choice)},
          {"rejected", rejected}};
}

Json demands_json(const Explained& explained) {
  Json out = Json::array();
  for (const Demand& demand : demands_of(explained)) {
    const Request& request = *demand.request;
    out.push_back({{"op", name(request.op)},
                   {"request", to_string(request)},
                   {"attributes", differences(request.attributes, spec(request.op).defaults)},
                   {"strict", explained.strict},
                   {"evaluation", demand.evaluation},
                   {"training", demand.training},
                   {"times", demand.times}});
  }
  return out;
}

Json part_json(const ExplainedPart& part) {
  Json operations = Json::array();
  for (const ExplainedOperation& operation : part.operations) operations.push_back(operation_json(operation, part));
  return {{"part", part.name},
          {"mode", name(part.mode)},
          {"operations", operations},
          {"result", "%" + std::to_string(part.recorded.result)}};
}

}  // namespace

std::string to_json(const Explained& explained) {
  const Selection& selection = explained.selection;
  Json parts = Json::array(), leaves = Json::array();
  for (const ExplainedPart& part : explained.parts) parts.push_back(part_json(part));
  for (std::size_t i = 0; i < explained.leaves.size(); ++i) leaves.push_back(leaf_text(explained.leaves[i], i));
  Json out{{explained.kind, explained.name},
           {"device", selection.device},
           {"opened", !selection.unopened.has_value()},
           {"unopened", reason(selection.unopened)},
           {"memory_domain", selection.registry ? Json(selection.registry->target().memory_domain) : Json()},
           {"asked", selection.registry.has_value() && selection.asked},
           {"real", name(selection.real)},
           {"leaves", leaves},
           {"parts", parts}};
  if (!selection.registry) out["demands"] = demands_json(explained);
  return text(out);
}

std::string to_json(std::span<const SurveyedDevice> devices) {
  Json list = Json::array();
  for (const SurveyedDevice& d : devices) list.push_back(device_json(d));
  return text(list);
}

std::string to_json(const Catalogue& catalogue) {
  Json folders = Json::array(), plugins = Json::array();
  for (const SearchedFolder& f : searched_folders(catalogue)) folders.push_back(folder_json(f));
  for (const Candidate& c : catalogue.candidates()) plugins.push_back(candidate_json(c));
  return text({{"folders", folders}, {"rule", one_line(std::string(search_rule()))}, {"plugins", plugins}});
}

std::string to_json(std::span<const tenon_capsule* const> capsules, const LoadedPlugin& plugin) {
  Json list = Json::array();
  for (const tenon_capsule* c : capsules) list.push_back(capsule_json(*c, plugin));
  return text(list);
}

std::string to_json(std::span<const ModelKind> models) {
  Json list = Json::array();
  for (const ModelKind& m : models) list.push_back(model_json(m));
  return text(list);
}

std::string list_text(std::span<const std::string> names) {
  return Json(std::vector<std::string>(names.begin(), names.end())).dump();
}

std::vector<std::string> parse_list(std::string_view text) {
  const Json json = Json::parse(text, nullptr, false);
  std::vector<std::string> out;
  if (!json.is_array()) return out;
  for (const Json& name : json)
    if (name.is_string()) out.push_back(name.get<std::string>());
  return out;
}

std::vector<std::string> dtype_words(const tenon_capsule& capsule) {
  std::vector<std::string> out;
  for (const tenon_dtypes& row : std::span(capsule.dtypes, capsule.dtypes_count)) {
    std::string words;
    for (const tenon_dtype& dtype : std::span(row.of, row.count)) {
      const std::string word = to_string(dtype);
      if (words.find(word) == std::string::npos) words.append(words.empty() ? "" : " ").append(word);
    }
    if (std::ranges::find(out, words) == out.end()) out.push_back(std::move(words));
  }
  return out;
}

}  // namespace tenon::cli
