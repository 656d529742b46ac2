#include "tenon/catalogue.h"

#include <algorithm>
#include <array>

#include "candidate.h"
#include "catalogue_builder.h"
#include "probed_candidate.h"
#include "search_path.h"
#include "tenon/contain.h"

namespace tenon {

namespace fs = std::filesystem;

std::string_view name(Origin origin) {
  constexpr std::array<std::string_view, 5> names{"--plugin", "TENON_PLUGIN_PATH", "user", "system",
                                                  "beside libtenon.so"};
  return names[static_cast<std::size_t>(origin)];
}

result<void> CatalogueBuilder::add_named(const fs::path& given) {
  std::error_code failed;
  const fs::path file = fs::absolute(given, failed).lexically_normal();
  if (environment_.secure)
    return host::unusable_path("--plugin", file, "a program with extra rights takes plugins from system folders only");
  if (!fs::exists(file, failed)) return host::unusable_path("--plugin", file, "the file does not exist");
  if (!fs::is_regular_file(file, failed))
    return host::unusable_path("--plugin", file, "not a file; expected a plugin's library or its manifest");
  catalogue_.folders_.push_back({Origin::named, file, true, {}});
  return add_named_file(file);
}

result<void> CatalogueBuilder::add_named_file(const fs::path& file) {
  const bool is_manifest = file.filename().string().ends_with(".json");
  const std::optional<fs::path> manifest = is_manifest ? file : manifest_of(file);
  Candidate candidate = manifest ? host::read_candidate(Origin::named, *manifest, environment_.object)
                                 : host::probed_candidate(file, environment_.object);
  candidate.file = file;
  if (candidate.error && candidate.error->reason == Reason::FILE_UNREADABLE)
    return host::unusable_path("--plugin", file, "the file cannot be read");
  add(std::move(candidate));
  return {};
}

/// The manifest in the library's folder that names it.
std::optional<fs::path> CatalogueBuilder::manifest_of(const fs::path& library) const {
  SearchFolder folder{Origin::named, library.parent_path(), true, {}};
  for (const fs::path& file : host::manifests_in(folder))
    if (const auto manifest = read_manifest(file); manifest && manifest->library == library) return file;
  return std::nullopt;
}

result<void> CatalogueBuilder::add_folders() {
  TENON_TRY(std::vector<SearchFolder> folders, host::search_folders(environment_));
  for (SearchFolder& folder : folders) {
    if (folder.exists)
      for (const fs::path& file : host::manifests_in(folder))
        add(host::read_candidate(folder.origin, file, environment_.object));
    catalogue_.folders_.push_back(std::move(folder));
  }
  return {};
}

void CatalogueBuilder::add(Candidate candidate) {
  const Manifest& m = candidate.manifest;
  for (const Candidate& earlier : catalogue_.candidates_) {
    if (m.id.empty() || earlier.manifest.id != m.id || earlier.manifest.vendor != m.vendor || earlier.shadowed())
      continue;
    if (earlier.manifest.library == candidate.manifest.library) return;  // the same file, reached twice
    candidate.error = Error{Reason::SHADOWED,
                            "[plugin] " + candidate.file.string() + ": the plugin '" + m.vendor + "/" + m.id + "' of " +
                                earlier.file.string() + " comes first",
                            "remove " + earlier.file.string() + " to use this one"};
  }
  catalogue_.candidates_.push_back(std::move(candidate));
}

result<Catalogue> CatalogueBuilder::build(const SearchOptions& options) {
  for (const fs::path& file : options.named) TENON_CHECK(add_named(file));
  TENON_CHECK(add_folders());
  return std::move(catalogue_);
}

result<void> require_named(const Catalogue& catalogue) {
  for (const Candidate& candidate : catalogue.candidates())
    if (candidate.origin == Origin::named && candidate.error && !candidate.shadowed()) return fail(*candidate.error);
  return {};
}

result<Catalogue> Catalogue::scan(const SearchOptions& options) {
  return contained("plugins", [&] { return CatalogueBuilder(host::SearchEnvironment::of_process()).build(options); });
}

}  // namespace tenon
