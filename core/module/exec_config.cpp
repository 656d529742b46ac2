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

SearchOptions ExecConfig::search() const { return {{plugins.begin(), plugins.end()}}; }

void ExecConfig::log() const { log(std::cerr); }

void ExecConfig::log(std::ostream& out) const {
  out << "dtype: " << tenon::to_string(dtype) << " (" << meaning(dtype) << ")\n"
      << "backend: " << name(backend) << "\n"
      << "device: " << device << "\n";
}

bool operator==(const ExecConfig& a, const ExecConfig& b) {
  const auto rest = [](const ExecConfig& c) {
    return std::tie(c.device, c.backend, c.dtype, c.show_backend, c.seed, c.provider, c.assurance, c.plugins,
                    c.threads);
  };
  return rest(a) == rest(b) && equal(a.options, b.options);
}

std::string to_string(const ExecConfig& c) {
  std::string out = "--device " + c.device + " --backend " + std::string(name(c.backend)) + " --dtype " +
                    to_string(c.dtype) + " --seed " + std::to_string(c.seed) + " --provider " + to_string(c.provider);
  if (c.show_backend) out += *c.show_backend == LaunchReport::Form::json ? " --show-backend=json" : " --show-backend";
  if (c.assurance) out.append(" --assurance ").append(name(*c.assurance));
  if (c.threads != 0) out += " --threads " + std::to_string(c.threads);
  for (const std::string& file : c.plugins) out += " --plugin " + file;
  for (const PluginOption& o : c.options) out += " --option " + o.plugin + "." + o.key + "=" + o.value;
  return out;
}

std::ostream& operator<<(std::ostream& out, const ExecConfig& config) { return out << to_string(config); }

}  // namespace tenon
