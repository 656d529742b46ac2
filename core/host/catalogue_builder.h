// catalogue_builder.h: fills a Catalogue in search order. Used once, by one thread.
#pragma once
#include <filesystem>
#include <optional>

#include "search_path.h"
#include "tenon/catalogue.h"

namespace tenon {

class CatalogueBuilder {
 public:
  explicit CatalogueBuilder(host::SearchEnvironment environment) : environment_(std::move(environment)) {}

  result<Catalogue> build(const SearchOptions& options);

 private:
  result<void> add_named(const std::filesystem::path& given);
  result<void> add_named_file(const std::filesystem::path& file);
  std::optional<std::filesystem::path> manifest_of(const std::filesystem::path& library) const;
  result<void> add_folders();
  void add(Candidate candidate);

  host::SearchEnvironment environment_;
  Catalogue catalogue_;
};

}  // namespace tenon
