#include "negotiate.h"

#include <algorithm>
#include <cstring>

#include "abi_range.h"
#include "host_table.h"
#include "tenon/guarded.h"
#include "tenon/loaded_plugin.h"
#include "tenon/plugin/sanitizer.h"

namespace tenon::host {
namespace {

tenon_query make_query() {
  tenon_query query{};
  query.magic = TENON_QUERY_MAGIC;
  query.size = sizeof query;
  query.abi_min = abi_min;
  query.abi_max = abi_max;
  query.sanitizer = own_sanitizer();
  query.host_table = host_table;
  return query;
}

std::string text_of(const tenon_reply& reply) {
  return {reply.message, ::strnlen(reply.message, sizeof reply.message)};
}

std::string sanitizer_text(std::uint32_t bits) {
  std::string out;
  if ((bits & TENON_SANITIZER_ADDRESS) != 0) out += " address";
  if ((bits & TENON_SANITIZER_THREAD) != 0) out += " thread";
  if ((bits & TENON_SANITIZER_MEMORY) != 0) out += " memory";
  return out.empty() ? "none" : out.substr(1);
}

std::string hex(std::uint64_t value) {
  std::string out;
  for (int shift = 60; shift >= 0; shift -= 4) out += "0123456789abcdef"[(value >> shift) & 15];
  return out;
}

/// The refusals of one file's reply.
struct Check {
  const std::filesystem::path& file;
  std::int32_t status;
  const tenon_reply& reply;

  tl::unexpected<Error> refuse(Reason reason, const std::string& what, std::string hint = {}) const {
    return fail(reason, "[plugin] " + file.string() + ": " + what, std::move(hint));
  }

  tl::unexpected<Error> bad_table(const std::string& what) const {
    return refuse(Reason::BAD_TABLE, what + "; " + abi_facts(reply.abi_min, reply.abi_max),
                  "update the plugin: rebuild it with this Tenon's SDK");
  }

  result<void> frame() const {
    if (reply.magic != TENON_REPLY_MAGIC)
      return refuse(Reason::BAD_TABLE, "its reply has the wrong magic number: found " + hex(reply.magic).substr(8) +
                                           ", expected " + hex(TENON_REPLY_MAGIC).substr(8));
    if (reply.size < sizeof reply)
      return refuse(Reason::BAD_TABLE, "its reply has the wrong size: found " + std::to_string(reply.size) +
                                           ", expected " + std::to_string(sizeof reply));
    return {};
  }

  result<void> version() const {
    if (reply.abi_max == 0) return bad_table("it names no ABI version");
    TENON_CHECK(check_abi_range(file, reply.abi_min, reply.abi_max));
    TENON_CHECK(sanitizer());
    if (status != TENON_OK) return refused_by_plugin();
    if (reply.plugin == nullptr) return bad_table("its entry point returned no table");
    return chosen_version();
  }

  /// Both sides choose alike, so that what was chosen is known before it is read.
  result<void> chosen_version() const {
    const std::uint32_t newest = std::min(abi_max, reply.abi_max);
    if (reply.abi != newest)
      return bad_table("it chose ABI " + abi_text(reply.abi) + ", expected " + abi_text(newest) +
                       ", the newest that both speak");
    const std::uint64_t expected = tenon_abi_fingerprint(newest);
    if (reply.fingerprint == expected) return {};
    return refuse(Reason::FINGERPRINT_MISMATCH, "built against another header of ABI " + abi_text(newest) + ": found " +
                                                    hex(reply.fingerprint) + ", expected " + hex(expected));
  }

  tl::unexpected<Error> refused_by_plugin() const {
    std::string words = take_plugin_error();
    if (words.empty()) words = text_of(reply);
    return bad_table("it refused this host: " + (words.empty() ? "status " + std::to_string(status) : words));
  }

  /// A checked plugin needs its checker's run-time library in the process; the other way round works.
  result<void> sanitizer() const {
    if ((reply.sanitizer & ~own_sanitizer()) == 0) return {};
    return refuse(Reason::SANITIZER_MISMATCH, "built with other sanitizers: found " + sanitizer_text(reply.sanitizer) +
                                                  ", expected " + sanitizer_text(own_sanitizer()));
  }
};

}  // namespace

std::uint32_t own_sanitizer() { return TENON_SANITIZERS; }

result<void> check_reply(const std::filesystem::path& file, std::int32_t status, const tenon_reply& reply) {
  const Check check{file, status, reply};
  TENON_CHECK(check.frame());
  return check.version();
}

result<tenon_reply> negotiate(const Library& library) {
  TENON_TRY(const QueryFunction query_plugin, library.entry_point());
  const tenon_query query = make_query();
  tenon_reply reply{};
  reply.size = sizeof reply;
  clear_plugin_error();
  TENON_TRY(const std::int32_t status,
            guarded(library.file(), "tenon_plugin_query", [&] { return query_plugin(&query, &reply); }));
  TENON_CHECK(check_reply(library.file(), status, reply));
  return reply;
}

}  // namespace tenon::host
