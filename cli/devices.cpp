#include "command.h"
#include "json_output.h"
#include "sizes.h"
#include "survey.h"
#include "table.h"
#include "tenon/text.h"
#include "variants.h"

namespace tenon::cli {
namespace {

struct DevicesArguments {
  bool json = false, verbose = false;
};

const auto& devices_settings() {
  static const auto all = std::to_array<Setting<DevicesArguments>>({
      {{.name = "--verbose",
        .metavar = {},
        .expected = {},
        .help = "also driver, architecture, memory, kernels with their variants, and file of each"},
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

std::string plugin_name(const SurveyedDevice& d) { return d.version.empty() ? d.plugin : d.plugin + " " + d.version; }

std::string table(std::span<const SurveyedDevice> devices) {
  std::vector<std::vector<std::string>> rows{{"device", "state", "class", "plugin", "about"}};
  for (const SurveyedDevice& d : devices)
    rows.push_back(
        {or_dash(d.device), std::string(name(d.state)), or_dash(d.device_class), or_dash(plugin_name(d)), about(d)});
  return aligned(rows);
}

/// "reference (148 capsules)"
std::string providers(const SurveyedDevice& d) {
  std::vector<std::string> out;
  for (const ProviderFacts& p : d.providers) out.push_back(p.name + " (" + counted(p.capsules, "capsule") + ")");
  return join(out);
}

std::string memory(const DeviceFacts& facts) {
  if (facts.memory_bytes == 0) return {};
  const bool is_split = facts.max_allocation_bytes != 0 && facts.max_allocation_bytes < facts.memory_bytes;
  return size_text(facts.memory_bytes) +
         (is_split ? ", at most " + size_text(facts.max_allocation_bytes) + " in one piece" : "");
}

/// What is known of a device beyond its line in the table; what is not known is left out.
std::string details(const SurveyedDevice& d) {
  std::vector<std::vector<std::string>> rows;
  const auto add = [&](std::string_view word, const std::string& value) {
    if (!value.empty()) rows.push_back({std::string(word), value});
  };
  add("file", d.file);
  add("driver", d.facts.driver);
  add("architecture", d.facts.architecture);
  add("memory", memory(d.facts));
  add("memory domain", d.facts.memory_domain);
  add("kernels", providers(d));
  for (const auto& row : variant_rows(d.variants)) rows.push_back(row);
  if (d.probe_ms) add("probed", "now, in " + std::to_string(*d.probe_ms) + " ms");
  if (d.error) add("next", d.error->hint.empty() ? std::string(info(d.error->reason).next_step) : d.error->hint);
  return (d.device.empty() ? d.plugin : d.device) + "\n" + indented(aligned(rows), 2);
}

std::string all_details(std::span<const SurveyedDevice> devices) {
  std::string out;
  for (const SurveyedDevice& d : devices)
    if (!d.plugin.empty()) out += "\n" + details(d);
  return out;
}

result<Output> run_devices(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<DevicesArguments>(args, devices_settings(), plugin_flags()));
  TENON_CHECK(expect_no_words(arguments.words));
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(arguments.exec.search()));
  const std::vector<SurveyedDevice> devices = survey(catalogue);
  if (arguments.own.json) return Output(to_json(devices));
  return Output(table(devices) + (arguments.own.verbose ? all_details(devices) : ""));
}

}  // namespace

const Command devices_command{"devices",
                              "",
                              "list every known device and whether it can be used",
                              [] { return table_of<DevicesArguments>(devices_settings()); },
                              plugin_flags,
                              run_devices};

}  // namespace tenon::cli
