// exec_config.h: how a program is to be executed, parsed from the command line or set by hand.
//
// A plain value; parsing runs no plugin code, but reads manifests where the device's name is not of the vocabulary. Any
// thread may parse. Flags, their values and rules: `tenon train --help`, docs/decisions/0001-one-flag-parser.md.
#pragma once
#include <iosfwd>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "tenon/catalogue.h"
#include "tenon/flags.h"
#include "tenon/options.h"

namespace tenon {

struct TENON_API ExecConfig : Options {
  /// The configuration and the arguments that are not ours, in order (`--` and what follows it among them). The default
  /// dtype is float where the device's class is gpu, else float32.
  static result<std::pair<ExecConfig, std::vector<std::string>>> parse_and_strip(std::span<const std::string> args);
  static result<std::pair<ExecConfig, std::vector<std::string>>> parse_and_strip_with_default_dtype(
      std::span<const std::string> args, ScalarType default_dtype);

  static result<Backend> parse_backend(std::string_view value);
  /// The word itself if it is `auto` or names a device; an unknown name is a USAGE error with the nearest and all.
  static result<std::string> parse_device(std::string_view value, const Catalogue& catalogue);
  /// Whether `--device cuda` or `--device cuda:N` stands among the arguments.
  static bool requests_cuda(std::span<const std::string> args);

  /// The same settings for making sessions, checked where a program may have set them by hand: a device word without
  /// meaning, more threads than there may be, a policy without its name. `seed` takes the place of a seed of 0.
  result<Options> to_options(std::uint64_t seed = 0) const;

  /// The lines `dtype: `, `backend: ` and `device: `; results own standard output, so standard error by default.
  void log() const;
  void log(std::ostream& out) const;

  /// A dtype that is not set is float32, as everywhere in a configuration.
  TENON_API friend bool operator==(const ExecConfig& a, const ExecConfig& b);
};

/// The flags that give this configuration, as a shell reads them.
TENON_API std::string to_string(const ExecConfig& config);
TENON_API std::ostream& operator<<(std::ostream& out, const ExecConfig& config);

/// The execution flags for a program that parses its own flags in the same pass:
///   const ParsedFlags parsed = parse_flags(args, ExecFlags::table() + mine, UnknownFlags::refuse);
///   ExecFlags exec(parsed);
///   for (const GivenFlag& flag : parsed.given) exec.take(flag) or take it oneself; then exec.finish().
class TENON_API ExecFlags {
 public:
  static FlagTable table();
  static const FlagSpec& plugin_flag();  // for commands that only look for plugins
  static const FlagSpec& device_flag();

  explicit ExecFlags(const ParsedFlags& parsed);

  /// False if the flag is not one of ours.
  result<bool> take(const GivenFlag& flag);
  result<ExecConfig> finish(std::optional<ScalarType> default_dtype = std::nullopt) const;

  /// What the rows act on.
  struct Draft {
    ExecConfig config;
    std::optional<GivenFlag> dtype_given;  // --dtype or --float32-mode, whichever was taken
  };

 private:
  Draft draft_;
};

}  // namespace tenon
