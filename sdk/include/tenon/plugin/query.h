// query.h: the answer to tenon_plugin_query, and what an entry point does with options.
//
// Ownership: the plugin table that is handed out is constant and belongs to the plugin. Threads: any; answering starts
// no thread, touches no device and prints nothing.
#pragma once
#include <algorithm>

#include "tenon/plugin/error.h"
#include "tenon/plugin/sanitizer.h"

namespace tenon::plugin {

// -- options ------------------------------------------------------------------------------------------------

/// Every option must be one of `known`: another is an error that names it and lists those.
inline void check_options(std::string_view plugin, std::span<const tenon_attr> given,
                          std::span<const std::string_view> known = {}) {
  for (const tenon_attr& option : given) {
    bool found = false;
    std::string list;
    for (const std::string_view name : known) {
      found = found || name == option.name;
      list += (list.empty() ? "" : ", ") + std::string(name);
    }
    if (found) continue;
    throw KernelError(TENON_ERROR_UNKNOWN_OPTION, text("[", plugin, "] unknown option ", option.name, ": known are ",
                                                       list.empty() ? "none" : list));
  }
}

// -- negotiation --------------------------------------------------------------------------------------------

struct AbiRange {
  std::uint32_t min, max;  // TENON_ABI_VERSION
};

/// What this SDK lets a plugin speak. One that cannot do without a slot of a later version offers a later minimum.
inline constexpr AbiRange every_version{TENON_ABI_OLDEST, TENON_ABI};

namespace detail {

inline std::string version_text(std::uint32_t version) { return text(version >> 16, ".", version & 0xffff); }
inline std::string range_text(AbiRange r) {
  return r.min == r.max ? version_text(r.min) : version_text(r.min) + " to " + version_text(r.max);
}

inline std::string no_overlap(const char* id, AbiRange plugin, AbiRange host_range) {
  const bool plugin_is_older = plugin.max < host_range.min;
  return text("plugin ", id, " speaks ABI ", range_text(plugin), ", the host ", range_text(host_range), ": update the ",
              plugin_is_older ? "plugin" : "host");
}

inline void write_message(tenon_reply& reply, std::string_view words) {
  const std::size_t length = std::min(words.size(), sizeof reply.message - 1);
  words.copy(reply.message, length);
  reply.message[length] = '\0';
}

/// The host's table for a version, into `host`. A later version only appends: the host may hand out more.
inline std::string take_host_table(const tenon_query& query, std::uint32_t abi) {
  if (query.host_table == nullptr) return "the host offers no table";
  const auto* table = static_cast<const tenon_host*>(query.host_table(abi));
  if (table == nullptr) return text("the host has no table for ABI ", version_text(abi));
  const std::uint32_t needed = tenon_abi_host_bytes(abi);
  if (table->size < needed) return text("the host's table has ", table->size, " bytes, expected ", needed);
  host = table;
  return {};
}

/// The version to speak, the greatest common one, and the host's table for it; an empty string, or what is wrong.
inline std::string negotiate(const char* id, const tenon_query& query, AbiRange ours, std::uint32_t built_with,
                             tenon_reply& reply) {
  const AbiRange theirs{query.abi_min, query.abi_max};
  if (theirs.max == 0 || theirs.max < theirs.min) return "the host names no ABI version";
  if (ours.max < theirs.min || theirs.max < ours.min) return no_overlap(id, ours, theirs);
  // Instrumented code needs its run-time library in the process; the other way round works.
  if ((built_with & ~query.sanitizer) != 0) {
    return text("plugin ", id, " was built with a sanitizer that the host lacks (kinds ", built_with, ", host ",
                query.sanitizer, "): build both alike");
  }
  const std::uint32_t chosen = std::min(ours.max, theirs.max);
  std::string trouble = take_host_table(query, chosen);
  if (!trouble.empty()) return trouble;
  reply.abi = chosen;
  reply.fingerprint = tenon_abi_fingerprint(chosen);
  return {};
}

inline bool readable(const tenon_query* query, const tenon_reply* reply) {
  return query != nullptr && reply != nullptr && query->magic == TENON_QUERY_MAGIC &&
         query->size >= sizeof(tenon_query) && reply->size >= sizeof(tenon_reply);
}

}  // namespace detail

/// The whole of tenon_plugin_query. The host fills the query, and of the reply its size; where magic or size are not
/// what they should be, nothing is written.
template <class Table>
std::int32_t answer_query(const char* id, const tenon_query* query, tenon_reply* reply, Table table,
                          AbiRange ours = every_version) noexcept {
  if (!detail::readable(query, reply)) return TENON_ERROR_INVALID_ARGUMENT;
  return guard([&]() -> std::int32_t {
    reply->magic = TENON_REPLY_MAGIC;
    reply->size = sizeof(tenon_reply);
    reply->abi_min = ours.min;
    reply->abi_max = ours.max;
    reply->abi = 0;
    reply->sanitizer = sanitizers;
    reply->fingerprint = 0;
    reply->plugin = nullptr;
    const std::string trouble = detail::negotiate(id, *query, ours, sanitizers, *reply);
    detail::write_message(*reply, trouble);
    if (!trouble.empty()) return TENON_ERROR;
    reply->plugin = table();
    return TENON_OK;
  });
}

}  // namespace tenon::plugin
