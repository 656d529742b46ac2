#include "probe_cache.h"

#include <sys/stat.h>
#include <sys/utsname.h>
#include <unistd.h>

#include <cstdlib>

#include "negotiate.h"
#include "own_object.h"
#include "probe_report.h"
#include "tenon/version.h"
#include "text_file.h"

namespace tenon::host {
namespace {

namespace fs = std::filesystem;

/// Empty if the user has no place for caches; a program with extra rights (setuid) gets no environment and so none.
fs::path cache_folder() {
  if (const char* cache = ::secure_getenv("XDG_CACHE_HOME"); cache != nullptr && *cache == '/')
    return fs::path(cache) / "tenon/probes";
  if (const char* home = ::secure_getenv("HOME"); home != nullptr && *home == '/')
    return fs::path(home) / ".cache/tenon/probes";
  return {};
}

std::string hash(const std::string& key) {  // FNV-1a; the key itself stands in the file
  std::uint64_t h = 0xcbf29ce484222325;
  for (const char c : key) h = (h ^ static_cast<unsigned char>(c)) * 0x100000001b3;
  return std::to_string(h);
}

fs::path cache_file(const std::string& key) {
  const fs::path folder = cache_folder();
  return folder.empty() ? folder : folder / (hash(key) + ".json");
}

/// Stands for the drivers' versions, most of which are the kernel's own or built for one.
std::string kernel_release() {
  utsname system{};
  return ::uname(&system) == 0 ? system.release : "";
}

/// A reader sees the old file or the new one, never a part.
void replace_file(const fs::path& file, const std::string& text) {
  std::string draft = file.string() + ".XXXXXX";
  const int descriptor = ::mkstemp(draft.data());
  if (descriptor < 0) return;
  const bool written = ::write(descriptor, text.data(), text.size()) == static_cast<ssize_t>(text.size());
  ::close(descriptor);
  if (!written || ::rename(draft.c_str(), file.c_str()) != 0) ::unlink(draft.c_str());
}

}  // namespace

std::string probe_key(const Candidate& candidate) {
  struct stat facts {};
  const fs::path& library = candidate.manifest.library;
  ::stat(library.c_str(), &facts);
  std::string key = library.string();
  for (const auto part : {facts.st_size, facts.st_mtim.tv_sec, facts.st_mtim.tv_nsec})
    key += "|" + std::to_string(part);
  return key + "|" + candidate.manifest.build_id + "|" + std::string(version()) + "|" + own_object().string() + "|" +
         std::to_string(own_sanitizer()) + "|" + kernel_release();
}

std::optional<ProbeReport> read_probe_cache(const std::string& key) {
  const fs::path file = cache_file(key);
  if (file.empty()) return std::nullopt;
  const auto text = read_text_file(file);
  return text ? report_from_json(*text, key) : std::nullopt;
}

void write_probe_cache(const std::string& key, const ProbeReport& report) {
  const fs::path file = cache_file(key);
  if (file.empty()) return;
  std::error_code ignored;
  fs::create_directories(file.parent_path(), ignored);
  replace_file(file, to_json(report, key));
}

}  // namespace tenon::host
