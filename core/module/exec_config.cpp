#include "tenon/exec_config.h"

#include <iostream>
#include <tuple>

#include "tenon/contain.h"
#include "tenon/text.h"

namespace tenon {
namespace {

auto key(const PluginOption& option) { return std::tie(option.plugin, option.key, option.value); }

bool equal(const std::vector<PluginOption>& a, const std::vector<PluginOption>& b) {
  return std::ranges::equal(a, b, {}, key, key);
}

using Stripped = std::pair<ExecConfig, std::vector<std::string>>;

result<Stripped> parse(std::span<const std::string> args, std::optional<ScalarType> default_dtype) {
  return contained("flags", [&]() -> result<Stripped> {
    ParsedFlags parsed = parse_flags(args, ExecFlags::table(), UnknownFlags::keep);
    ExecFlags flags(parsed);
    for (const GivenFlag& flag : parsed.given) TENON_CHECK(flags.take(flag));
    if (parsed.error) return fail(*parsed.error);
    TENON_TRY(ExecConfig config, flags.finish(default_dtype));
    return Stripped{std::move(config), std::move(parsed.rest)};
  });
}

}  // namespace

result<Stripped> ExecConfig::parse_and_strip(std::span<const std::string> args) { return parse(args, std::nullopt); }

result<Stripped> ExecConfig::parse_and_strip_with_default_dtype(std::span<const std::string> args,
                                                                ScalarType default_dtype) {
  return parse(args, default_dtype);
}

bool ExecConfig::requests_cuda(std::span<const std::string> args) {
  const FlagSpec& device = ExecFlags::device_flag();
  for (const GivenFlag& flag : parse_flags(args, ExecFlags::table(), UnknownFlags::keep).given) {
    if (flag.spec != &device || flag.from_environment) continue;
    const std::string& word = *flag.value;
    return word == "cuda" || (word.starts_with("cuda:") && parse_unsigned(word.substr(5)).has_value());
  }
  return false;
}

SearchOptions Options::search() const { return {{plugins.begin(), plugins.end()}}; }

namespace {

/// What a hand-made configuration says, as a flag would: the flags' own checks refuse it with their own words.
std::vector<std::string> as_flags(const ExecConfig& config) {
  std::vector<std::string> flags;
  const auto add = [&](std::string_view name, const std::string& value) {
    flags.push_back(std::string(name) + "=" + value);
  };
  for (const std::string& file : config.plugins) add("--plugin", file);
  add("--device", config.device);
  add("--provider", to_string(config.provider));
  if (config.threads != 0) add("--threads", std::to_string(config.threads));
  for (const PluginOption& o : config.options) add("--option", o.plugin + "." + o.key + "=" + o.value);
  return flags;
}

}  // namespace

result<Options> ExecConfig::to_options(std::uint64_t wanted_seed) const {
  return contained("options", [&]() -> result<Options> {
    const std::vector<std::string> flags = as_flags(*this);
    ParsedFlags parsed = parse_flags(flags, ExecFlags::table(), UnknownFlags::refuse);
    std::erase_if(parsed.given, [](const GivenFlag& flag) { return flag.from_environment; });
    ExecFlags check(parsed);
    for (const GivenFlag& flag : parsed.given) TENON_CHECK(check.take(flag));
    if (parsed.error) return fail(*std::move(parsed.error));
    Options checked = *this;
    checked.dtype = scalar_type();
    if (seed == 0) checked.seed = wanted_seed;
    return checked;
  });
}

void ExecConfig::log() const { log(std::cerr); }

void ExecConfig::log(std::ostream& out) const {
  out << "dtype: " << tenon::to_string(scalar_type()) << " (" << meaning(scalar_type()) << ")\n"
      << "backend: " << name(backend) << "\n"
      << "device: " << device << "\n";
}

bool operator==(const Options& a, const Options& b) {
  const auto rest = [](const Options& c) {
    return std::tie(c.device, c.backend, c.dtype, c.show_backend, c.profile, c.trace, c.seed, c.provider, c.assurance,
                    c.plugins, c.threads);
  };
  return rest(a) == rest(b) && equal(a.options, b.options);
}

bool operator==(const ExecConfig& a, const ExecConfig& b) {
  Options settled_a = a, settled_b = b;
  settled_a.dtype = a.scalar_type();
  settled_b.dtype = b.scalar_type();
  return settled_a == settled_b;
}

std::string to_string(const ExecConfig& c) {
  std::string out = "--device " + shell_word(c.device) + " --backend " + std::string(name(c.backend)) + " --dtype " +
                    to_string(c.scalar_type()) + " --seed " + std::to_string(c.seed) + " --provider " +
                    shell_word(to_string(c.provider));
  if (c.show_backend) out += *c.show_backend == LaunchReport::Form::json ? " --show-backend=json" : " --show-backend";
  if (c.profile) out += *c.profile == ReportForm::json ? " --profile=json" : " --profile";
  if (!c.trace.empty()) out += " --trace " + shell_word(c.trace);
  if (c.assurance) out.append(" --assurance ").append(name(*c.assurance));
  if (c.threads != 0) out += " --threads " + std::to_string(c.threads);
  for (const std::string& file : c.plugins) out += " --plugin " + shell_word(file);
  for (const PluginOption& o : c.options) out += " --option " + shell_word(o.plugin + "." + o.key + "=" + o.value);
  return out;
}

std::ostream& operator<<(std::ostream& out, const ExecConfig& config) { return out << to_string(config); }

}  // namespace tenon
