#include <algorithm>
#include <array>

#include "tenon/contain.h"
#include "tenon/exec_config.h"
#include "tenon/text.h"

namespace tenon {
namespace {

using Draft = ExecFlags::Draft;

constexpr std::uint64_t most_threads = 1024;

/// The names of an enumeration's members, which count from 0 to `last`.
template <class Enum>
std::vector<std::string> names_to(Enum last) {
  std::vector<std::string> out;
  for (std::size_t i = 0; i <= static_cast<std::size_t>(last); ++i) out.emplace_back(name(static_cast<Enum>(i)));
  return out;
}

const std::vector<std::string>& backend_choices() {
  static const std::vector<std::string> all = names_to(Backend::compiled);
  return all;
}

const std::vector<std::string>& assurance_choices() {
  static const std::vector<std::string> all = names_to(Assurance::external);
  return all;
}

/// "a, b or c"
std::string alternatives(std::span<const std::string> words) {
  if (words.size() < 2) return join(words);
  return join(words.first(words.size() - 1)) + " or " + words.back();
}

std::string known_kinds() {
  std::string out = "auto";
  for (const KnownDevice& device : known_devices()) out.append(", ").append(device.kind);
  return out + " or a kind that a plugin brings, as kind, kind:N or vendor/kind:N";
}

bool is_in_vocabulary(std::string_view word) {
  const std::string_view kind = word.substr(0, word.find(':'));
  return std::ranges::find(known_devices(), kind, &KnownDevice::kind) != known_devices().end();
}

/// Names of the vocabulary need no look at the manifests.
result<Catalogue> catalogue_for(std::string_view word, const ExecConfig& config) {
  if (word == "auto" || is_in_vocabulary(word)) return Catalogue();
  return Catalogue::scan(config.search());
}

/// The flag takes the place of the "[device]" that begins the text.
Error named(const GivenFlag& flag, Error error) {
  constexpr std::string_view where = "[device] ";
  if (error.text.starts_with(where)) error.text.erase(0, where.size());
  error.text.insert(0, std::string(flag.source()) + ": ");
  constexpr std::string_view by_flag = "--device ";
  const std::size_t at = flag.from_environment ? error.hint.find(by_flag) : std::string::npos;
  if (at != std::string::npos) error.hint.replace(at, by_flag.size(), std::string(flag.source()) + "=");
  return error;
}

result<void> set_device(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(const Catalogue catalogue, catalogue_for(*flag.value, draft.config));
  auto word = ExecConfig::parse_device(*flag.value, catalogue);
  if (!word) return fail(named(flag, std::move(word).error()));
  draft.config.device = *std::move(word);
  return {};
}

result<void> set_backend(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(const std::size_t choice, one_of(flag, backend_choices()));
  draft.config.backend = static_cast<Backend>(choice);
  return {};
}

/// False where a flag on the command line has settled the dtype and this is only the environment.
result<bool> may_set_dtype(Draft& draft, const GivenFlag& flag) {
  if (!draft.dtype_given) {
    draft.dtype_given = flag;
    return true;
  }
  if (flag.from_environment && !draft.dtype_given->from_environment) return false;
  return fail(usage_error(std::string(draft.dtype_given->source()) + " and " + std::string(flag.source()) +
                              " exclude each other: both say what float32 means",
                          "write --dtype float32:MODE alone"));
}

result<void> set_dtype(Draft& draft, const GivenFlag& flag) {
  const auto type = parse_dtype(*flag.value);
  if (!type) return fail(bad_value(flag, dtype_spellings()));
  TENON_TRY(const bool counts, may_set_dtype(draft, flag));
  if (counts) draft.config.dtype = *type;
  return {};
}

result<void> set_float32_mode(Draft& draft, const GivenFlag& flag) {
  const auto mode = parse_float32_mode(*flag.value);
  if (!mode) return fail(bad_value(flag, float32_mode_spellings()));
  TENON_TRY(const bool counts, may_set_dtype(draft, flag));
  if (counts) draft.config.dtype = {ScalarType::Kind::float32, *mode};
  return {};
}

/// What `--flag`, `--flag=json` and its environment twin ask for; nothing: no report.
result<std::optional<ReportForm>> report_form(const GivenFlag& flag) {
  const std::string value = flag.value.value_or("text");
  if (value == "json") return ReportForm::json;
  if (!flag.value || (flag.from_environment && (value == "text" || value == "1"))) return ReportForm::text;
  if (!flag.from_environment) return fail(bad_value(flag, std::vector<std::string>{"json"}));
  if (value == "0") return std::nullopt;
  return fail(
      usage_error(std::string(flag.source()) + ": found \"" + shown(value) + "\", expected 1 or text, json, or 0",
                  suggestion(value, std::vector<std::string>{"text", "json"})));
}

result<void> set_show_backend(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(draft.config.show_backend, report_form(flag));
  return {};
}

result<void> set_profile(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(draft.config.profile, report_form(flag));
  return {};
}

result<void> set_trace(Draft& draft, const GivenFlag& flag) {
  draft.config.trace = *flag.value;
  return {};
}

result<void> set_seed(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(draft.config.seed, whole_number(flag, 0, ~std::uint64_t{0}));
  return {};
}

result<void> set_provider(Draft& draft, const GivenFlag& flag) {
  using Rule = ProviderPolicy::Rule;
  const std::string_view value = *flag.value;
  const auto after = [&](std::string_view prefix) {
    return value.starts_with(prefix) ? value.substr(prefix.size()) : std::string_view();
  };
  if (value == "first")
    draft.config.provider = {};
  else if (const auto preferred = after("prefer:"); !preferred.empty())
    draft.config.provider = {Rule::prefer, std::string(preferred)};
  else if (const auto only = after("only:"); !only.empty())
    draft.config.provider = {Rule::only, std::string(only)};
  else if (value == "prefer:" || value == "only:")
    return fail(usage_error(std::string(flag.source()) + ": found \"" + std::string(value) +
                                "\" without a name after it, expected " + flag.spec->expected,
                            "run `tenon capsules` to see the providers' names"));
  else
    return fail(bad_value(flag, std::vector<std::string>{"first", "prefer:", "only:"}));
  return {};
}

result<void> set_assurance(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(const std::size_t choice, one_of(flag, assurance_choices()));
  draft.config.assurance = static_cast<Assurance>(choice);
  return {};
}

/// The files were collected before: a device's name may depend on a plugin that is named after it.
result<void> note_plugin(Draft&, const GivenFlag&) { return {}; }

result<void> add_option(Draft& draft, const GivenFlag& flag) {
  const std::string& text = *flag.value;
  const std::size_t equals = text.find('=');
  const std::size_t dot = text.substr(0, equals).find('.');
  if (equals == std::string::npos || dot == std::string::npos || dot == 0 || dot + 1 == equals)
    return fail(bad_value(flag));
  draft.config.options.push_back(
      {text.substr(0, dot), text.substr(dot + 1, equals - dot - 1), text.substr(equals + 1)});
  return {};
}

result<void> set_threads(Draft& draft, const GivenFlag& flag) {
  TENON_TRY(const std::uint64_t count, whole_number(flag, 1, most_threads));
  draft.config.threads = static_cast<std::uint32_t>(count);
  return {};
}

using Row = Setting<Draft>;

/// The one list of execution flags. `--help` prints it in this order.
const auto& rows() {
  static const auto all = std::to_array<Row>({
      {{.name = "--device",
        .metavar = "D",
        .expected = known_kinds(),
        .help = "where to compute",
        .standard = "auto",
        .environment = "TENON_DEVICE"},
       set_device},
      {{.name = "--backend",
        .metavar = "B",
        .expected = alternatives(backend_choices()),
        .help = "how to run the program",
        .standard = std::string(name(Backend::eager)),
        .environment = "TENON_BACKEND"},
       set_backend},
      {{.name = "--dtype",
        .metavar = "T",
        .expected = "float, float32 or float32:MODE, MODE alone (" + join(float32_mode_names()) +
                    "), complex or complex:MODE, real",
        .help = "what numbers are",
        .standard = "float32; float on a gpu",
        .environment = "TENON_DTYPE"},
       set_dtype},
      {{.name = "--float32-mode",
        .metavar = "M",
        .expected = alternatives(float32_mode_names()),
        .help = "the same as --dtype float32:M",
        .environment = "TENON_FLOAT32_MODE"},
       set_float32_mode},
      {{.name = "--show-backend",
        .metavar = "json",
        .expected = "nothing, or =json",
        .help = "print each capsule when it first runs, on standard error",
        .environment = "TENON_SHOW_BACKEND",
        .value_optional = true},
       set_show_backend},
      {{.name = "--profile",
        .metavar = "json",
        .expected = "nothing, or =json",
        .help = "print where the time went, by capsule, on standard error",
        .environment = "TENON_PROFILE",
        .value_optional = true},
       set_profile},
      {{.name = "--trace",
        .metavar = "FILE",
        .expected = "the JSON file to write",
        .help = "write what ran when, for Perfetto or chrome://tracing",
        .environment = "TENON_TRACE"},
       set_trace},
      {{.name = "--seed",
        .metavar = "N",
        .expected = "a whole number from 0 to 18446744073709551615",
        .help = "of everything that is drawn",
        .standard = "0",
        .environment = "TENON_SEED"},
       set_seed},
      {{.name = "--provider",
        .metavar = "P",
        .expected = "first, prefer:NAME or only:NAME",
        .help = "whose capsules serve",
        .standard = "first",
        .environment = "TENON_PROVIDER"},
       set_provider},
      {{.name = "--assurance",
        .metavar = "A",
        .expected = alternatives(assurance_choices()),
        .help = "how far capsules must be trusted",
        .standard = "checked; external on a third party's device",
        .environment = "TENON_ASSURANCE"},
       set_assurance},
      {{.name = "--plugin",
        .metavar = "FILE",
        .expected = "a plugin's library or its manifest",
        .help = "looked at before all folders",
        .repeatable = true},
       note_plugin},
      {{.name = "--option",
        .metavar = "K=V",
        .expected = "plugin.key=value",
        .help = "told to the plugin",
        .repeatable = true},
       add_option},
      {{.name = "--threads",
        .metavar = "N",
        .expected = "a whole number from 1 to 1024",
        .help = "threads of the host",
        .standard = "the cores that the process may use",
        .environment = "TENON_THREADS"},
       set_threads},
  });
  return all;
}

const FlagSpec& spec_of(result<void> (*set)(Draft&, const GivenFlag&)) {
  return std::ranges::find(rows(), set, &Row::set)->flag;
}

}  // namespace

result<Backend> ExecConfig::parse_backend(std::string_view value) {
  return contained("backend", [&]() -> result<Backend> {
    const GivenFlag flag{&spec_of(set_backend), std::string(value)};
    TENON_TRY(const std::size_t choice, one_of(flag, backend_choices()));
    return static_cast<Backend>(choice);
  });
}

result<std::string> ExecConfig::parse_device(std::string_view value, const Catalogue& catalogue) {
  return contained("device", [&]() -> result<std::string> {
    if (value != "auto") TENON_CHECK(tenon::parse_device(value, catalogue));
    return std::string(value);
  });
}

FlagTable ExecFlags::table() { return table_of<Draft>(rows()); }
const FlagSpec& ExecFlags::plugin_flag() { return spec_of(note_plugin); }
const FlagSpec& ExecFlags::device_flag() { return spec_of(set_device); }

ExecFlags::ExecFlags(const ParsedFlags& parsed) {
  for (const GivenFlag& flag : parsed.given)
    if (flag.spec == &plugin_flag()) draft_.config.plugins.push_back(*flag.value);
}

result<bool> ExecFlags::take(const GivenFlag& flag) { return apply<Draft>(rows(), flag, draft_); }

result<ExecConfig> ExecFlags::finish(std::optional<ScalarType> default_dtype) const {
  ExecConfig config = draft_.config;
  if (draft_.dtype_given) return config;
  if (default_dtype) {
    config.dtype = *default_dtype;
  } else if (config.device != "auto") {
    TENON_TRY(const Catalogue catalogue, catalogue_for(config.device, config));
    TENON_TRY(const DeviceName device, tenon::parse_device(config.device, catalogue));
    if (device_class(device, catalogue) == "gpu") config.dtype = {ScalarType::Kind::native};
  }
  return config;
}

}  // namespace tenon
