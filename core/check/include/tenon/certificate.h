// certificate.h: does a plugin keep every promise of plugin.h? What `tenon check` asks, and its answer.
//
// The checks run in a helper process (tenon-certify), one after another; one that crashes it or hangs is noted and the
// rest goes on in a new process. Values and plain functions; any thread.
#pragma once
#include <chrono>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/result.h"

namespace tenon::check {

/// A check as it is listed: "memory/odd-sizes", and the rule that it holds.
struct CheckInfo {
  std::string_view group, name, rule;
  bool of_capsules = false;  // asked of each capsule, not once
  std::string full_name() const { return std::string(group) + "/" + std::string(name); }
};
TENON_API std::vector<CheckInfo> all_checks();

enum class Outcome : std::uint8_t { passed, failed, skipped, excluded };
TENON_API std::string_view name(Outcome outcome);

/// One check of one plugin or capsule.
struct CheckResult {
  std::string check;    // "capsules/values"
  std::string capsule;  // empty: the plugin's
  Outcome outcome = Outcome::passed;
  std::string found, expected;  // of a failure; of a skipped or excluded one `found` is the reason
  /// What CertifyOptions::only takes to see a failure again, where id() does not do: what else was under way.
  std::optional<std::string> shown_by{};

  std::string id() const { return capsule.empty() ? check : check + ":" + capsule; }
  std::string again() const { return shown_by.value_or(id()); }
};

/// A failure that is known and has a reason. It still runs; once it no longer fails, the exclusion is stale.
struct Exclusion {
  std::string check, capsule, reason;  // capsule empty: of every capsule
};
/// [{"check": "capsules/values", "capsule": "acme.add.f32", "reason": "..."}]; FILE_MALFORMED says what is wrong.
TENON_API result<std::vector<Exclusion>> read_exclusions(const std::filesystem::path& file);

struct CertifyOptions {
  std::string only{};  // a part of CheckResult::id(), * for anything; empty: all
  std::chrono::milliseconds limit = std::chrono::seconds(60);  // for each check
  std::vector<Exclusion> exclusions{};
};

struct TENON_API Certificate {
  std::filesystem::path file;
  std::string plugin, vendor, version, abi, device;  // as far as they became known
  std::vector<CheckResult> results;                  // in the order of the list
  std::vector<Exclusion> stale;

  std::size_t count(Outcome outcome) const;
  /// Something was asked, and nothing failed.
  bool holds() const;
};

/// Runs the checks on the plugin that a library or manifest names. Fails only if nothing could be asked: the file does
/// not exist, the helper program is missing, `only` matches no check. What the plugin does wrong is in the results.
TENON_API result<Certificate> certify(const std::filesystem::path& file, const CertifyOptions& options);

TENON_API std::string to_json(const Certificate& certificate);

/// The helper's allocator, which can be told to fail; all null in a build with sanitizers, which bring their own.
struct AllocationControl {
  void (*fail_nth)(long n) = nullptr;  // the n-th of the calling thread from now, counted from 0; below 0: none
  bool (*failed)() = nullptr;          // since then
  long (*count)() = nullptr;           // allocations of the calling thread so far
  long (*live_blocks)() = nullptr;     // of the process
};

/// What a helper process is to do.
struct Assignment {
  std::filesystem::path file;
  std::size_t first = 0;  // number of the first check
  std::string only;
  std::string
      fatal;  // ids of checks that ended an earlier process, each with a comma behind: what needs them is skipped
};

/// The helper's side: runs the checks and writes what it found to a descriptor.
TENON_API void answer_certify(int descriptor, const Assignment& assignment, const AllocationControl& allocation);

}  // namespace tenon::check
