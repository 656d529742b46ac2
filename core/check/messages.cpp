#include "messages.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "tenon/text.h"
#include "tenon/version.h"
#include "text_file.h"

namespace tenon::check {
namespace {

using Json = nlohmann::ordered_json;

/// Bytes that are no UTF-8 (a plugin may say any) are replaced rather than refused.
std::string text(const Json& json, int indent) {
  return json.dump(indent, ' ', false, Json::error_handler_t::replace) + "\n";
}

Json result_json(const CheckResult& r) {
  Json out{{"check", r.check}, {"capsule", r.capsule.empty() ? Json() : Json(r.capsule)}, {"outcome", name(r.outcome)}};
  if (r.outcome == Outcome::failed || !r.expected.empty()) {
    out["found"] = r.found;
    out["expected"] = r.expected;
    out["only"] = r.again();
  } else if (r.outcome != Outcome::passed) {
    out["reason"] = r.found;
  }
  return out;
}

Json json_of(const Fact& fact) { return {{"fact", fact.name}, {"value", fact.value}}; }
Json json_of(const Begun& begun) {
  return {{"begun", begun.number}, {"check", begun.item.check}, {"capsule", begun.item.capsule}};
}
Json json_of(const CheckResult& r) {
  return {{"check", r.check}, {"capsule", r.capsule},   {"outcome", static_cast<int>(r.outcome)},
          {"found", r.found}, {"expected", r.expected}, {"shown_by", r.shown_by ? Json(*r.shown_by) : Json()}};
}
Json json_of(const GoOn& go_on) { return {{"go_on", go_on.next}}; }
Json json_of(const Done& done) { return {{"done", done.matched}}; }

CheckResult read_item(const Json& json) {
  CheckResult out;
  out.check = json.at("check");
  out.capsule = json.at("capsule");
  return out;
}

CheckResult read_result(const Json& json) {
  CheckResult out = read_item(json);
  out.outcome = static_cast<Outcome>(json.at("outcome").get<int>());
  out.found = json.at("found");
  out.expected = json.at("expected");
  if (!json.at("shown_by").is_null()) out.shown_by = json.at("shown_by");
  return out;
}

Message read_message(const Json& json) {
  if (json.contains("fact")) return Fact{json.at("fact"), json.at("value")};
  if (json.contains("begun")) return Begun{json.at("begun"), read_item(json)};
  if (json.contains("go_on")) return GoOn{json.at("go_on")};
  if (json.contains("done")) return Done{json.at("done")};
  return read_result(json);
}

void add_message(std::string_view line, std::vector<Message>& out) {
  try {
    out.push_back(read_message(Json::parse(line)));
  } catch (const Json::exception&) {  // no line of ours
  }
}

/// A file of exclusions being read.
struct ExclusionReader {
  const std::filesystem::path& file;

  tl::unexpected<Error> refuse(const std::string& what) const {
    return fail(Reason::FILE_MALFORMED, "[exclusions] " + file.string() + ": " + what,
                R"(write [{"check": "capsules/values", "capsule": "acme.add.f32", "reason": "why"}])");
  }

  struct Key {
    const char* name;
    std::string Exclusion::*member;
    bool may_be_missing;
  };
  static constexpr Key keys[] = {{"check", &Exclusion::check, false},
                                 {"capsule", &Exclusion::capsule, true},
                                 {"reason", &Exclusion::reason, false}};

  static std::string place_of(std::size_t number) { return "entry " + std::to_string(number) + ": "; }

  /// A misspelt key would be a missing one, which stands for every capsule.
  result<void> expect_known(const Json& entry, std::size_t number) const {
    std::vector<std::string> names;
    for (const Key& key : keys) names.emplace_back(key.name);
    for (const auto& [name, value] : entry.items())
      if (std::ranges::find(names, name) == names.end())
        return refuse(place_of(number) + "found the key '" + excerpt(name, 80) + "', expected " + join(names));
    return {};
  }

  result<std::string> text(const Json& entry, std::size_t number, const Key& key) const {
    const auto found = entry.find(key.name);
    const std::string place = place_of(number) + "'" + key.name + "' ";
    if (found == entry.end() && key.may_be_missing) return std::string();
    if (found == entry.end()) return refuse(place + "is missing");
    if (!found->is_string() || found->get_ref<const std::string&>().empty())
      return refuse(place + "is " + found->dump() + ", expected a text that is not empty");
    return found->get<std::string>();
  }

  result<Exclusion> read(const Json& entry, std::size_t number) const {
    if (!entry.is_object()) return refuse("entry " + std::to_string(number) + " is no object");
    TENON_CHECK(expect_known(entry, number));
    Exclusion out;
    for (const Key& key : keys) {
      TENON_TRY(out.*key.member, text(entry, number, key));
    }
    return out;
  }
};

}  // namespace

std::string greeting() { return "tenon-certify " + std::string(version()) + "\n"; }

std::string to_line(const Message& message) {
  return std::visit([](const auto& m) { return text(json_of(m), -1); }, message);
}

std::vector<Message> read_lines(std::string_view text) {
  std::vector<Message> out;
  for (std::size_t end = text.find('\n'); end != text.npos; end = text.find('\n')) {
    add_message(text.substr(0, end), out);
    text.remove_prefix(end + 1);
  }
  return out;
}

result<std::vector<Exclusion>> read_exclusions(const std::filesystem::path& file) {
  const auto content = host::read_text_file(file);
  if (!content)
    return fail(Reason::FILE_UNREADABLE, "[exclusions] " + file.string() + ": the file cannot be read",
                "check the path");
  const ExclusionReader reader{file};
  const Json json = Json::parse(*content, nullptr, false);
  if (!json.is_array()) return reader.refuse("it is not a JSON list");
  std::vector<Exclusion> out;
  for (const Json& entry : json) {
    TENON_TRY(out.emplace_back(), reader.read(entry, out.size() + 1));
  }
  return out;
}

std::string to_json(const Certificate& certificate) {
  Json checks = Json::array(), stale = Json::array();
  for (const CheckResult& r : certificate.results) checks.push_back(result_json(r));
  for (const Exclusion& e : certificate.stale)
    stale.push_back({{"check", e.check}, {"capsule", e.capsule.empty() ? Json() : Json(e.capsule)}});
  Json counts;
  for (const Outcome o : {Outcome::passed, Outcome::failed, Outcome::skipped, Outcome::excluded})
    counts[std::string(name(o))] = certificate.count(o);
  return text({{"certified", certificate.holds()},
               {"file", certificate.file.string()},
               {"plugin", certificate.plugin},
               {"vendor", certificate.vendor},
               {"version", certificate.version},
               {"abi", certificate.abi},
               {"device", certificate.device},
               {"counts", counts},
               {"stale_exclusions", stale},
               {"checks", checks}},
              2);
}

}  // namespace tenon::check
