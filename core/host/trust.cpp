#include "trust.h"

#include <sys/stat.h>
#include <unistd.h>

namespace tenon::host {
namespace {

/// Many systems give each user a group of the same number and let that group write: nobody else is in it.
bool group_is_private(const struct stat& facts) { return facts.st_gid == facts.st_uid || facts.st_gid == 0; }

bool others_may_write(const struct stat& facts) {
  return (facts.st_mode & S_IWOTH) != 0 || ((facts.st_mode & S_IWGRP) != 0 && !group_is_private(facts));
}

tl::unexpected<Error> refuse(const std::filesystem::path& path, const std::string& what) {
  return fail(Reason::UNTRUSTED_PATH, "[plugin] " + path.string() + ": " + what);
}

result<void> check_one(const std::filesystem::path& path, uid_t tenon_owner) {
  struct stat facts {};
  if (::stat(path.c_str(), &facts) != 0) return {};  // what is not there is reported by who opens it
  if (others_may_write(facts)) return refuse(path, "others may write to it");
  if (facts.st_uid != 0 && facts.st_uid != ::geteuid() && facts.st_uid != tenon_owner)
    return refuse(path, "it belongs to another user (" + std::to_string(facts.st_uid) + ")");
  return {};
}

}  // namespace

result<void> check_trust(const std::filesystem::path& file, uid_t tenon_owner) {
  TENON_CHECK(check_one(file, tenon_owner));
  return check_one(file.parent_path(), tenon_owner);
}

uid_t owner_of(const std::filesystem::path& file) {
  struct stat facts {};
  return ::stat(file.c_str(), &facts) == 0 ? facts.st_uid : 0;
}

}  // namespace tenon::host
