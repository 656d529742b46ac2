// search_path.h: the folders that plugins are looked for in, best first. Never the working directory.
#pragma once
#include <filesystem>
#include <string>
#include <vector>

#include "tenon/catalogue.h"

namespace tenon::host {

/// What the search order depends on; taken from the process once, passed on as a value.
struct SearchEnvironment {
  std::string plugin_path;       // TENON_PLUGIN_PATH
  std::string data_home, home;   // XDG_DATA_HOME, HOME
  bool secure = false;           // setuid and the like: only system folders
  std::filesystem::path object;  // own_object()

  static SearchEnvironment of_process();
};

/// PLUGIN_PATH_UNUSABLE if an element of TENON_PLUGIN_PATH is not a readable folder.
result<std::vector<SearchFolder>> search_folders(const SearchEnvironment& environment);

/// The manifests in a folder, in the order of their names. What a folder that cannot be read holds is unknown: the
/// words why go to its `problem`.
std::vector<std::filesystem::path> manifests_in(SearchFolder& folder);

/// The error for a path that the user gave.
tl::unexpected<Error> unusable_path(std::string_view given_by, const std::filesystem::path& path,
                                    const std::string& why);

}  // namespace tenon::host
