// catalogue.h: every plugin that can be found, in search order, known from its manifest alone.
//
// Scanning runs no plugin code. A Catalogue is a value; any thread may read it.
#pragma once
#include <cstdint>
#include <filesystem>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/manifest.h"

namespace tenon {

/// Where plugins are looked for, best first.
enum class Origin : std::uint8_t { named, environment, user, system, beside_library };
TENON_API std::string_view name(Origin origin);

/// A place that was searched: a folder, or the file that --plugin names.
struct SearchFolder {
  Origin origin;
  std::filesystem::path path;  // absolute
  bool exists = false;
  std::string problem;  // why it could not be read; empty if it could
};

/// A manifest or library that was found, whether or not it can be used.
struct Candidate {
  Origin origin;
  std::filesystem::path file;  // the manifest, or the library if it was named itself
  Manifest manifest;           // as far as it could be read
  std::optional<Error> error;  // why it cannot be used: invalid, shadowed, damaged, untrusted path, ...
  bool usable() const { return !error.has_value(); }
  /// Another one of the same vendor and id comes first: no fault, and never what a device word leads to.
  bool shadowed() const { return error && error->reason == Reason::SHADOWED; }
  /// Installed beside libtenon.so with its very version: what `checked` trust asks for.
  bool own = false;
};

struct SearchOptions {
  std::vector<std::filesystem::path> named;  // --plugin, in order; each a library or a manifest
};

class TENON_API Catalogue {
 public:
  /// Fails only if an explicit path (--plugin, TENON_PLUGIN_PATH) cannot be read, or if the host has no memory left;
  /// what is wrong with a file that can be read is in its Candidate: see require_named. A library that --plugin names
  /// and that has no manifest beside it is asked by the helper program (probe.h) who it is.
  static result<Catalogue> scan(const SearchOptions& options);

  std::span<const SearchFolder> folders() const& { return folders_; }
  std::span<const Candidate> candidates() const& { return candidates_; }
  std::span<const SearchFolder> folders() && = delete;  // they would outlive their owner
  std::span<const Candidate> candidates() && = delete;

 private:
  std::vector<SearchFolder> folders_;
  std::vector<Candidate> candidates_;
  friend class CatalogueBuilder;
};

/// The error of the first plugin that --plugin names and that cannot be used; being shadowed is none. A scan succeeds
/// all the same, so that listings can show the fault; whoever opens a device asks this first.
TENON_API result<void> require_named(const Catalogue& catalogue);

/// What was asked for: "cuda", "cuda:1", "acme/cuda:0".
struct DeviceName {
  std::string vendor;  // empty: this project's plugin first, else the only one
  std::string kind;
  std::uint32_t ordinal = 0;
  friend bool operator==(const DeviceName&, const DeviceName&) = default;
};
TENON_API std::string to_string(const DeviceName& name);

/// Device kinds that have a name whether or not a plugin is installed, with their class: cpu cuda rocm vulkan metal ...
struct KnownDevice {
  std::string_view kind, device_class;
};
TENON_API std::span<const KnownDevice> known_devices();

/// All kinds that --device accepts now: "auto", the known ones, and those that manifests bring.
TENON_API std::vector<std::string> device_choices(const Catalogue& catalogue);

/// Parses a device word. An unknown kind is a USAGE error that suggests the nearest, and lists the choices and the
/// manifests that could not be read, one of which may bring it.
TENON_API result<DeviceName> parse_device(std::string_view word, const Catalogue& catalogue);

/// The plugin that serves a device: NO_PLUGIN (with the folders searched, the manifests that could not be read, the
/// usable devices and the next step), the reason why the only candidate is unusable or SHADOWED, or AMBIGUOUS_DEVICE.
TENON_API result<Candidate> find_plugin(const DeviceName& device, const Catalogue& catalogue);

/// The word that --device takes for a kind that the candidate brings: the kind alone where it leads to this candidate
/// (or to its error), else with the vendor. Without an ordinal.
TENON_API std::string device_word(const Candidate& candidate, std::string_view kind, const Catalogue& catalogue);

/// What a folder of the search order holds, for people: "cpu, vendor (not usable: ABI_MISMATCH)", "does not exist".
TENON_API std::string describe(const SearchFolder& folder, const Catalogue& catalogue);

/// Device words that plugins which are not known to be unusable bring, as --device takes them.
TENON_API std::vector<std::string> usable_devices(const Catalogue& catalogue);

/// "gpu" for cuda, from the vocabulary or a manifest; "other" where nothing is known.
TENON_API std::string device_class(const DeviceName& device, const Catalogue& catalogue);

}  // namespace tenon
