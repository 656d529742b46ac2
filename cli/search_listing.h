// search_listing.h: every place that was searched for plugins, with each file found there and what became of it. Plain
// values; reads folders and manifests, runs no plugin code.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/catalogue.h"

namespace tenon::cli {

/// A manifest or a library.
struct FoundFile {
  std::filesystem::path file;
  bool taken = false;  // it is the plugin that serves, or the library of one
  std::string code;    // of the reason why it was not taken, where there is one: "SHADOWED"
  std::string words;
};

struct SearchedFolder {
  Origin origin;
  std::filesystem::path path;  // absolute; of Origin::named the file itself
  std::string state;           // "does not exist", "cannot be read (...)", "no plugin"; empty: see its files
  bool exists = false;
  std::vector<FoundFile> files;
};

/// In search order.
std::vector<SearchedFolder> searched_folders(const Catalogue& catalogue);

/// Which plugin serves where there are several, and what TENON_PLUGIN_PATH does.
std::string_view search_rule();

}  // namespace tenon::cli
