// What the file and its one function say, before anything is initialised.
#include <algorithm>
#include <array>
#include <cstring>

#include "abi_range.h"
#include "check.h"
#include "elf_facts.h"
#include "elf_symbols.h"
#include "tenon/text.h"

namespace tenon::check {
namespace {

constexpr std::string_view entry_point = "tenon_plugin_query";

/// Sanitized libraries and coverage bring symbols of their tools; clang's UBSan, types of the functions that are
/// called.
bool is_of_a_tool(const std::string& name, bool has_ubsan) {
  if (has_ubsan && (name.starts_with("_ZTIF") || name.starts_with("_ZTSF"))) return true;
  return name.starts_with("__") || name.starts_with("_ZN6__");
}

Verdict exports(Bench& bench) {
  auto symbols = read_dynamic_symbols(bench.plugin().library());
  if (!symbols) return skipped("the file has no table of dynamic symbols");
  const auto is_of_ubsan = [](const std::string& name) { return name.starts_with("__ubsan_"); };
  const bool has_ubsan = std::ranges::any_of(symbols->wanted, is_of_ubsan);
  std::erase_if(symbols->exported,
                [&](const std::string& name) { return name == entry_point || is_of_a_tool(name, has_ubsan); });
  if (symbols->exported.empty()) return {};
  return wrong("it exports " + listed(symbols->exported, 3), "tenon_plugin_query and nothing else");
}

Verdict links(Bench& bench) {
  auto facts = host::read_elf(bench.plugin().library());
  if (!facts) return skipped(facts.error().text);
  std::erase_if(facts->needed, [](const std::string& name) { return !name.starts_with("libtenon"); });
  if (facts->needed.empty()) return {};
  return wrong("it links " + join(facts->needed), "nothing of Tenon's: all that it may use is in the host table");
}

Verdict sanitizer(Bench& bench) {
  const auto symbols = read_dynamic_symbols(bench.plugin().library());
  if (!symbols) return skipped("the file has no table of dynamic symbols");
  const std::tuple<const char*, const char*, std::uint32_t> kinds[] = {
      {"__asan_init", "address", TENON_SANITIZER_ADDRESS},
      {"__tsan_init", "thread", TENON_SANITIZER_THREAD},
      {"__msan_init", "memory", TENON_SANITIZER_MEMORY}};
  for (const auto& [symbol, kind, bit] : kinds) {
    const bool is_built_with = std::ranges::find(symbols->wanted, symbol) != symbols->wanted.end();
    const bool is_said = (bench.plugin().reply().sanitizer & bit) != 0;
    if (is_built_with != is_said)
      return wrong(std::string("the reply ") + (is_said ? "names" : "does not name") + " the sanitizer " + kind,
                   std::string("the library ") + (is_built_with ? "asks for " : "does not ask for ") + symbol);
  }
  return {};
}

Verdict manifest(Bench& bench) {
  const auto& manifest = bench.plugin().manifest();
  if (!manifest) return skipped("a library was named, and no manifest");
  if (bench.plugin().table_fault()) return skipped("the plugin's table is not complete: see interface/slots");
  const tenon_plugin& plugin = bench.plugin().plugin();
  const tenon_reply& reply = bench.plugin().reply();
  const std::tuple<const char*, std::string, std::string> fields[] = {
      {"id", manifest->id, plugin.id},
      {"vendor", manifest->vendor, plugin.vendor},
      {"version", manifest->version, plugin.version},
      {"ABI range", host::range_text(manifest->abi_min, manifest->abi_max),
       host::range_text(reply.abi_min, reply.abi_max)}};
  for (const auto& [field, says, is] : fields)
    if (says != is)
      return wrong(std::string("the manifest's ") + field + " is '" + says + "'", "the plugin's: '" + is + "'");
  const auto facts = host::read_elf(bench.plugin().library());
  if (facts && facts->build_id != manifest->build_id && !manifest->build_id.empty())
    return wrong("the manifest's build id is " + manifest->build_id, "the library's: " + facts->build_id);
  return {};
}

tenon_reply empty_reply() {
  tenon_reply reply{};
  reply.size = sizeof reply;
  return reply;
}

/// The plugin's function is asked anew with another query; afterwards as the host asks it, so that what it keeps of a
/// query is right again.
sought<std::int32_t> ask(Bench& bench, const tenon_query& query, tenon_reply& reply) {
  const auto status = status_of(entry_point, [&] { return bench.plugin().query()(&query, &reply); });
  const tenon_query usual = usual_query();
  tenon_reply unread = empty_reply();
  static_cast<void>(status_of(entry_point, [&] { return bench.plugin().query()(&usual, &unread); }));
  return status;
}

/// A host of versions that the plugin does not speak.
Verdict refuses_range(Bench& bench, std::uint32_t abi, const char* which) {
  tenon_query query = usual_query();
  query.abi_min = query.abi_max = abi;
  tenon_reply reply = empty_reply();
  TENON_SEEK(const std::int32_t status, ask(bench, query, reply));
  const std::string host = std::string("to a host of ") + which + " versions it answered ";
  if (status == TENON_OK || reply.plugin != nullptr) return wrong(host + "with a table", "no table, and an error");
  const tenon_reply& usual = bench.plugin().reply();
  if (reply.magic != TENON_REPLY_MAGIC || reply.abi_min != usual.abi_min || reply.abi_max != usual.abi_max)
    return wrong(host + "without the versions that it speaks",
                 "abi_min and abi_max filled, so that the host can say them");
  return {};
}

Verdict versions(Bench& bench) {
  TENON_HOLDS(refuses_range(bench, TENON_ABI_VERSION(0x7fff, 0), "later"));
  if (bench.plugin().reply().abi_min <= 1) return {};
  return refuses_range(bench, bench.plugin().reply().abi_min - 1, "earlier");
}

Verdict refuses_unreadable(Bench& bench, const char* what, const tenon_query& query, tenon_reply reply) {
  const tenon_reply before = reply;
  TENON_SEEK(const std::int32_t status, ask(bench, query, reply));
  if (status == TENON_OK) return wrong(std::string("it accepted ") + what, "an error");
  if (std::memcmp(&reply, &before, sizeof reply) != 0)
    return wrong(std::string("given ") + what + ", it wrote into the reply", "a reply that is left as it was");
  return {};
}

Verdict unreadable(Bench& bench) {
  tenon_query short_query = usual_query(), foreign_query = usual_query();
  short_query.size = sizeof(tenon_query) - 8;
  foreign_query.magic = 0;
  tenon_reply short_reply = empty_reply();
  short_reply.size = 16;
  TENON_HOLDS(refuses_unreadable(bench, "a query that is too small", short_query, empty_reply()));
  TENON_HOLDS(refuses_unreadable(bench, "a query without the magic number", foreign_query, empty_reply()));
  return refuses_unreadable(bench, "a reply that is too small", usual_query(), short_reply);
}

Verdict asked_again(Bench& bench) {
  const tenon_query query = usual_query();
  tenon_reply reply = empty_reply();
  TENON_HOLDS(succeeds(entry_point, [&] { return bench.plugin().query()(&query, &reply); }));
  if (reply.plugin == bench.plugin().reply().plugin) return {};
  return wrong("asked a second time it gave another table", "the same one: it lives as long as the library is loaded");
}

Verdict slots(Bench& bench) {
  if (const auto& fault = bench.plugin().table_fault()) return wrong(fault->text, "complete tables");
  return {};
}

Verdict sizes(Bench& bench) {
  const tenon_plugin& raw = bench.plugin().raw();
  const bool is_newer = bench.plugin().reply().abi_max > host::abi_max;  // its tables may have grown
  const auto check = [&](const char* what, std::uint64_t found, std::uint64_t expected) -> Verdict {
    if (found % 8 == 0 && (found <= expected || is_newer)) return {};
    return wrong(std::string(what) + " says a size of " + std::to_string(found) + " bytes",
                 "that of its version, at most " + std::to_string(expected));
  };
  TENON_HOLDS(check("tenon_plugin", raw.size, sizeof(tenon_plugin)));
  if (raw.devices != nullptr) TENON_HOLDS(check("tenon_devices", raw.devices->size, sizeof(tenon_devices)));
  if (bench.plugin().table_fault()) return {};
  for (std::uint32_t i = 0; i < raw.capsule_count; ++i)
    if (raw.capsules[i] != nullptr) TENON_HOLDS(check("a tenon_capsule", raw.capsules[i]->size, sizeof(tenon_capsule)));
  return {};
}

Verdict graph_slots(Bench& bench) {
  const tenon_devices& t = bench.plugin().devices();
  const int filled = (t.graph_begin != nullptr) + (t.graph_end != nullptr) + (t.graph_launch != nullptr) +
                     (t.graph_destroy != nullptr);
  if (filled == 0 || filled == 4) return {};
  return wrong(std::to_string(filled) + " of the four graph slots are filled", "all of them, or none");
}

/// A host takes such a row, and no signature ever fits it.
Verdict lists_dtypes(const tenon_capsule& capsule) {
  for (std::uint32_t row = 0; row < capsule.dtypes_count; ++row)
    if (capsule.dtypes[row].count == 0)
      return wrong(
          "capsule " + std::string(capsule.name) + ": row " + std::to_string(row + 1) + " of its dtypes is empty",
          "the dtypes of the operands, then of the results");
  return {};
}

Verdict capsule_fields(Bench& bench) {
  for (const tenon_capsule* capsule : bench.plugin().capsules()) TENON_HOLDS(lists_dtypes(*capsule));
  const auto rejected = bench.plugin().rejected();
  if (rejected.empty()) return {};
  std::string text = rejected.front().error.text;
  if (const auto at = text.find("capsule "); at != text.npos) text.erase(0, at);
  return wrong("capsules left out: " + std::to_string(rejected.size()) + "; the first: " + text,
               "capsules that a host can take");
}

Verdict quiet(Bench& bench) {
  const auto [before, after] = bench.plugin().threads();
  if (after <= before) return {};
  return wrong("threads started while it was loaded: " + std::to_string(after - before), "none before initialize");
}

constexpr auto of_interface = std::to_array<Check>({
    {"loads", "the file is loaded, exports tenon_plugin_query, and agrees with the host on a version",
     [](Bench&) -> Verdict { return {}; }},
    {"exports", "the library exports tenon_plugin_query and nothing else", exports},
    {"links", "the library links nothing of Tenon's", links},
    {"sanitizer", "the reply names the sanitizers that the library is built with", sanitizer},
    {"manifest", "the manifest says what the plugin and the library say", manifest},
    {"versions", "a host of other versions gets no table, and the versions that the plugin speaks", versions},
    {"unreadable", "a query or reply of wrong size or magic is refused, and nothing is written", unreadable},
    {"asked-again", "a second query is answered with the same table", asked_again},
    {"slots", "every mandatory slot of the tables is filled, and every table is large enough", slots},
    {"sizes", "every struct says the size that it has", sizes},
    {"graph-slots", "the four graph slots come together", graph_slots},
    {"capsule-fields", "every capsule has a name of its own and all its fields", capsule_fields},
    {"quiet", "loading starts no thread", quiet},
});

}  // namespace

std::span<const Check> interface_checks() { return of_interface; }

}  // namespace tenon::check
