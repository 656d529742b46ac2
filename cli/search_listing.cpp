#include "search_listing.h"

#include <algorithm>
#include <ctime>

#include "sizes.h"
#include "survey.h"
#include "table.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

bool is_manifest(const fs::path& file) { return file.filename().string().ends_with(".tenon.json"); }

/// "x.so", "x.so.1"
bool is_library(const fs::path& file) {
  const std::string name = file.filename();
  return name.ends_with(".so") || name.find(".so.") != name.npos;
}

std::vector<fs::path> files_in(const fs::path& folder) {
  std::vector<fs::path> out;
  std::error_code failed;
  for (fs::directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed))
    if (is_manifest(at->path()) || is_library(at->path())) out.push_back(at->path());
  std::ranges::sort(out);
  return out;
}

/// What the error says beyond the file, which stands before it.
std::string words_of(const Error& error, const fs::path& file) {
  std::string text = error.text;
  if (const auto origin = text.find("] "); text.starts_with('[') && origin != text.npos) text.erase(0, origin + 2);
  if (const std::string begin = file.string() + ": "; text.starts_with(begin)) text.erase(0, begin.size());
  return one_line(text);
}

std::string plugin_words(const Candidate& candidate) {
  std::vector<std::string> kinds;
  for (const ManifestDevice& device : candidate.manifest.devices) kinds.push_back(device.kind);
  const Manifest& m = candidate.manifest;
  return m.vendor + "/" + m.id + " " + m.version + (kinds.empty() ? ", kernels only" : " for " + join(kinds));
}

/// "usable (probed 3 hours ago)"
std::string state_words(const PluginState& known) {
  if (!known.report || known.report->made_at_s == 0) return known.word;
  return known.word + " (probed " + age_text(std::time(nullptr) - known.report->made_at_s) + " ago)";
}

FoundFile candidate_file(const Candidate& candidate) {
  if (candidate.error)
    return {candidate.file, false, std::string(info(candidate.error->reason).name),
            words_of(*candidate.error, candidate.file)};
  return {candidate.file, true, {}, plugin_words(candidate) + ", " + state_words(known_state(candidate))};
}

/// A manifest that no candidate stems from names a library that came before.
FoundFile repeated_manifest(const fs::path& file, const Catalogue& catalogue) {
  const auto manifest = read_manifest(file);
  for (const Candidate& candidate : catalogue.candidates())
    if (manifest && candidate.manifest.library == manifest->library)
      return {file, false, {}, "names the library of " + candidate.file.string() + ", which comes first"};
  return {file, false, {}, "it came after the search"};
}

FoundFile library_file(const fs::path& file, const Catalogue& catalogue) {
  for (const Candidate& candidate : catalogue.candidates())
    if (candidate.manifest.library == file && candidate.file != file)
      return {file, candidate.usable(), {}, "the library of " + candidate.file.filename().string()};
  return {file, false, {}, "no manifest here names it; --plugin FILE takes a library without one"};
}

FoundFile found_file(const fs::path& file, const Catalogue& catalogue) {
  for (const Candidate& candidate : catalogue.candidates())
    if (candidate.file == file) return candidate_file(candidate);
  return is_manifest(file) ? repeated_manifest(file, catalogue) : library_file(file, catalogue);
}

SearchedFolder searched(const SearchFolder& folder, const Catalogue& catalogue) {
  SearchedFolder out{folder.origin, folder.path, {}, folder.exists, {}};
  if (folder.origin == Origin::named) {
    out.files.push_back(found_file(folder.path, catalogue));
    return out;
  }
  if (folder.exists && folder.problem.empty())
    for (const fs::path& file : files_in(folder.path)) out.files.push_back(found_file(file, catalogue));
  if (out.files.empty()) out.state = describe(folder, catalogue);
  return out;
}

}  // namespace

std::vector<SearchedFolder> searched_folders(const Catalogue& catalogue) {
  std::vector<SearchedFolder> out;
  for (const SearchFolder& folder : catalogue.folders()) out.push_back(searched(folder, catalogue));
  return out;
}

std::string_view search_rule() {
  return "Folders are searched in this order; TENON_PLUGIN_PATH adds to the others and comes before them. Of two\n"
         "plugins with one vendor and id the first serves.\n";
}

}  // namespace tenon::cli
