#include "trust.h"

#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <optional>

namespace tenon::host {
namespace {

namespace fs = std::filesystem;

/// Many systems give each user a group of the same number and let that group write: nobody else is in it.
bool group_is_private(const struct stat& facts) { return facts.st_gid == facts.st_uid || facts.st_gid == 0; }

bool others_may_write(const struct stat& facts) {
  return (facts.st_mode & S_IWOTH) != 0 || ((facts.st_mode & S_IWGRP) != 0 && !group_is_private(facts));
}

/// The numbers of the system's own groups, such as the one to which Debian gives /usr/local.
bool is_shared_by_root(const struct stat& facts) { return facts.st_uid == 0 && facts.st_gid < 100; }

/// Whoever else may put another entry in the place of one that is not theirs.
bool others_may_replace(const struct stat& facts) {
  if ((facts.st_mode & S_ISVTX) != 0) return false;
  return (facts.st_mode & S_IWOTH) != 0 || (others_may_write(facts) && !is_shared_by_root(facts));
}

uid_t owner_of(const fs::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 ? facts.st_uid : 0;
}

bool lies_below(const fs::path& file, const fs::path& folder) {
  return std::mismatch(folder.begin(), folder.end(), file.begin(), file.end()).first == folder.end();
}

/// The checks of one file's path.
class TrustCheck {
 public:
  TrustCheck(const fs::path& file, const fs::path& own_object)
      : file_(file), own_object_(own_object), tenon_owner_(owner_of(own_object)) {}

  result<void> all() const {
    TENON_CHECK(itself(file_));
    std::error_code failed;
    fs::path at = fs::absolute(file_, failed);
    for (int links = 0; links <= most_links; ++links) {
      TENON_CHECK(folders_of(at));
      const fs::path target = fs::read_symlink(at, failed);
      if (failed) break;
      at = at.parent_path() / target;
    }
    const fs::path canonical = fs::canonical(file_, failed);
    return failed ? result<void>{} : folders_of(canonical);
  }

 private:
  static constexpr int most_links = 40;  // as many as the kernel follows

  result<void> itself(const fs::path& path) const {
    const auto facts = facts_of(path);
    if (!facts) return {};  // what is not there is reported by who opens it
    if (others_may_write(*facts))
      return fail(Reason::UNTRUSTED_PATH, "[plugin] " + path.string() + ": others may write to it");
    if (is_strange(*facts))
      return fail(Reason::UNTRUSTED_PATH,
                  "[plugin] " + path.string() + ": it belongs to another user (" + std::to_string(facts->st_uid) + ")");
    return {};
  }

  result<void> folders_of(const fs::path& path) const {
    fs::path folder = path.parent_path();
    TENON_CHECK(itself(folder));
    while (folder != folder.parent_path()) {
      folder = folder.parent_path();
      if (lies_below(own_object_, folder)) break;
      TENON_CHECK(above(folder));
    }
    return {};
  }

  result<void> above(const fs::path& folder) const {
    const auto facts = facts_of(folder);
    if (!facts) return {};
    if (others_may_replace(*facts))
      return fail(Reason::UNTRUSTED_PATH,
                  "[plugin] " + file_.string() + ": others may write to " + folder.string() + ", which it lies below",
                  "chmod go-w " + folder.string());
    if (is_strange(*facts))
      return fail(Reason::UNTRUSTED_PATH,
                  "[plugin] " + file_.string() + ": " + folder.string() +
                      ", which it lies below, belongs to another user (" + std::to_string(facts->st_uid) + ")",
                  "install the plugin in a folder of your own");
    return {};
  }

  static std::optional<struct stat> facts_of(const fs::path& path) {
    struct stat facts {};
    return ::stat(path.c_str(), &facts) == 0 ? std::optional(facts) : std::nullopt;
  }

  bool is_strange(const struct stat& facts) const {
    return facts.st_uid != 0 && facts.st_uid != ::geteuid() && facts.st_uid != tenon_owner_;
  }

  const fs::path& file_;
  const fs::path& own_object_;
  uid_t tenon_owner_;
};

}  // namespace

result<void> check_trust(const fs::path& file, const fs::path& own_object) {
  return TrustCheck(file, own_object).all();
}

}  // namespace tenon::host
