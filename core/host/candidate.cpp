#include "candidate.h"

#include <algorithm>

#include "abi_range.h"
#include "elf_facts.h"
#include "own_object.h"
#include "tenon/version.h"
#include "trust.h"

namespace tenon::host {
namespace {

namespace fs = std::filesystem;

result<void> check_exists(const Candidate& candidate) {
  std::error_code ignored;
  if (fs::exists(candidate.manifest.library, ignored)) return {};
  return fail(
      Reason::FILE_NOT_FOUND,
      "[plugin] " + candidate.file.string() + ": its library does not exist: " + candidate.manifest.library.string(),
      "install the plugin again");
}

result<void> check_build(const Candidate& candidate, const ElfFacts& elf) {
  const std::string& expected = candidate.manifest.build_id;
  if (expected.empty() || expected == elf.build_id) return {};
  return fail(Reason::MANIFEST_STALE, "[plugin] " + candidate.file.string() + ": describes build " + expected +
                                          ", but " + candidate.manifest.library.string() + " is build " +
                                          (elf.build_id.empty() ? "unknown" : elf.build_id));
}

/// The library is for this machine, so the manifest must say so too.
result<void> check_architecture(const Candidate& candidate) {
  const std::string& described = candidate.manifest.architecture;
  if (described.empty() || described == host_architecture()) return {};
  return fail(Reason::MANIFEST_STALE, "[plugin] " + candidate.file.string() + ": describes a library for " + described +
                                          ", but " + candidate.manifest.library.string() + " is for " +
                                          std::string(host_architecture()));
}

result<void> check_candidate(const Candidate& candidate, const fs::path& own_object) {
  TENON_CHECK(check_library(candidate, own_object));
  return check_abi_range(candidate.manifest.library, candidate.manifest.abi_min, candidate.manifest.abi_max);
}

bool same_folder(const fs::path& a, const fs::path& b) {
  std::error_code failed;
  return fs::equivalent(a, b, failed) && !failed;
}

}  // namespace

result<void> check_library(const Candidate& candidate, const fs::path& own_object) {
  TENON_CHECK(check_trust(candidate.file, own_object));
  TENON_CHECK(check_exists(candidate));
  TENON_CHECK(check_trust(candidate.manifest.library, own_object));
  TENON_TRY(const ElfFacts elf, read_elf(candidate.manifest.library));
  TENON_CHECK(check_architecture(candidate));
  return check_build(candidate, elf);
}

bool is_own(const Manifest& manifest, const fs::path& own_object) {
  if (manifest.vendor != "tenon" || manifest.version != version()) return false;
  const fs::path folder = manifest.library.parent_path();
  return std::ranges::any_of(folders_beside(own_object), [&](const fs::path& own) { return same_folder(own, folder); });
}

Candidate read_candidate(Origin origin, const fs::path& manifest, const fs::path& own_object) {
  Candidate candidate{origin, manifest, {}, std::nullopt, false};
  auto read = read_manifest(manifest);
  if (!read) {
    candidate.error = std::move(read).error();
    return candidate;
  }
  candidate.manifest = *std::move(read);
  candidate.own = is_own(candidate.manifest, own_object);
  if (auto checked = check_candidate(candidate, own_object); !checked) candidate.error = std::move(checked).error();
  return candidate;
}

}  // namespace tenon::host
