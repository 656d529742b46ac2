#include "command.h"
#include "json_output.h"
#include "survey.h"
#include "table.h"
#include "variants.h"

namespace tenon::cli {
namespace {

struct DevicesArguments {
  bool json = false, verbose = false;
};

const auto& settings() {
  static const auto all = std::to_array<Setting<DevicesArguments>>({
      {{.name = "--verbose", .metavar = {}, .expected = {}, .help = "also the variants of its kernels"},
       set_true<&DevicesArguments::verbose>},
      {{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
       set_true<&DevicesArguments::json>},
  });
  return all;
}

std::string about(const SurveyedDevice& device) {
  if (device.error) return one_line(device.error->text);
  return device.facts.name + (device.facts.software() ? " (software device)" : "");
}

std::string table(std::span<const SurveyedDevice> devices) {
  std::vector<std::vector<std::string>> rows{{"device", "state", "class", "plugin", "about"}};
  for (const SurveyedDevice& d : devices)
    rows.push_back({or_dash(d.device), std::string(name(d.state)), or_dash(d.device_class),
                    or_dash(d.version.empty() ? d.plugin : d.plugin + " " + d.version), about(d)});
  return aligned(rows);
}

std::string variants(std::span<const SurveyedDevice> devices) {
  std::string out;
  for (const SurveyedDevice& d : devices)
    if (!d.variants.empty()) out += "\n" + d.device + "\n" + aligned(variant_rows(d.variants));
  return out;
}

result<Output> run(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<DevicesArguments>(args, settings(), plugin_flags()));
  TENON_CHECK(expect_no_words(arguments.words));
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(arguments.exec.search()));
  const std::vector<SurveyedDevice> devices = survey(catalogue);
  if (arguments.own.json) return Output(to_json(devices));
  return Output(table(devices) + (arguments.own.verbose ? variants(devices) : ""));
}

}  // namespace

const Command devices_command{"devices",
                              "",
                              "list every known device and whether it can be used",
                              [] { return table_of<DevicesArguments>(settings()); },
                              plugin_flags,
                              run};

}  // namespace tenon::cli
