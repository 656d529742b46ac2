#include "search_path.h"

#include <sys/auxv.h>
#include <unistd.h>

#include <algorithm>
#include <cstdlib>

#include "own_object.h"

namespace tenon::host {
namespace {

namespace fs = std::filesystem;

std::string variable(const char* name) {
  const char* value = ::secure_getenv(name);
  return value != nullptr ? value : "";
}

std::vector<std::string> elements(const std::string& path) {
  std::vector<std::string> out;
  for (std::size_t begin = 0; begin <= path.size();) {
    const std::size_t end = std::min(path.find(':', begin), path.size());
    if (end > begin) out.push_back(path.substr(begin, end - begin));
    begin = end + 1;
  }
  return out;
}

fs::path normal(const fs::path& path) {
  std::error_code ignored;
  fs::path out = fs::absolute(path, ignored).lexically_normal();
  return out.has_filename() ? out : out.parent_path();
}

class FolderList {
 public:
  void add(Origin origin, const fs::path& path) {
    const fs::path folder = normal(path);
    const auto same = [&](const SearchFolder& known) { return known.path == folder; };
    if (std::ranges::any_of(folders, same)) return;
    std::error_code ignored;
    folders.push_back({origin, folder, fs::is_directory(folder, ignored), {}});
  }

  std::vector<SearchFolder> folders;
};

result<void> add_named_by_environment(const std::string& plugin_path, FolderList& list) {
  for (const std::string& element : elements(plugin_path)) {
    const fs::path folder = normal(element);
    std::error_code failed;
    if (!fs::exists(folder, failed))
      return unusable_path("TENON_PLUGIN_PATH", folder, failed ? failed.message() : "the folder does not exist");
    if (!fs::is_directory(folder, failed)) return unusable_path("TENON_PLUGIN_PATH", folder, "not a folder");
    if (::access(folder.c_str(), R_OK | X_OK) != 0)
      return unusable_path("TENON_PLUGIN_PATH", folder, "the folder cannot be read (permission denied)");
    list.add(Origin::environment, folder);
  }
  return {};
}

void add_user_folder(const SearchEnvironment& environment, FolderList& list) {
  const fs::path data_home(environment.data_home);
  if (data_home.is_absolute())
    list.add(Origin::user, data_home / "tenon/plugins");
  else if (!environment.home.empty())
    list.add(Origin::user, fs::path(environment.home) / ".local/share/tenon/plugins");
}

}  // namespace

SearchEnvironment SearchEnvironment::of_process() {
  return {variable("TENON_PLUGIN_PATH"), variable("XDG_DATA_HOME"), variable("HOME"), ::getauxval(AT_SECURE) != 0,
          own_object()};
}

result<std::vector<SearchFolder>> search_folders(const SearchEnvironment& environment) {
  FolderList list;
  if (!environment.secure) {
    TENON_CHECK(add_named_by_environment(environment.plugin_path, list));
    add_user_folder(environment, list);
  }
  list.add(Origin::system, "/usr/local/lib/tenon/plugins");
  list.add(Origin::system, "/usr/lib/tenon/plugins");
  if (!environment.secure)
    for (const fs::path& folder : folders_beside(environment.object)) list.add(Origin::beside_library, folder);
  return list.folders;
}

std::vector<fs::path> manifests_in(SearchFolder& folder) {
  std::vector<fs::path> found;
  std::error_code failed;
  for (fs::directory_iterator at(folder.path, failed), end; !failed && at != end; at.increment(failed))
    if (at->path().filename().string().ends_with(".tenon.json")) found.push_back(at->path());
  if (failed) folder.problem = failed.message();
  std::ranges::sort(found);
  return found;
}

tl::unexpected<Error> unusable_path(std::string_view given_by, const fs::path& path, const std::string& why) {
  return fail(Reason::PLUGIN_PATH_UNUSABLE,
              "[plugins] " + path.string() + ": " + why + ", and " + std::string(given_by) + " names it");
}

}  // namespace tenon::host
