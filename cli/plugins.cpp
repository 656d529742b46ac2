#include <algorithm>

#include "command.h"
#include "json_output.h"
#include "search_listing.h"
#include "survey.h"
#include "table.h"

namespace tenon::cli {
namespace {

struct PluginsArguments {
  bool json = false, verbose = false;
};

const auto& plugins_settings() {
  static const auto all = std::to_array<Setting<PluginsArguments>>({
      {{.name = "--verbose",
        .metavar = {},
        .expected = {},
        .help = "also every folder that was searched, in order, and what became of each file there"},
       set_true<&PluginsArguments::verbose>},
      {{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
       set_true<&PluginsArguments::json>},
  });
  return all;
}

std::string kinds(const Candidate& candidate) {
  std::string out;
  for (const ManifestDevice& device : candidate.manifest.devices)
    out.append(out.empty() ? "" : ", ").append(device.kind);
  return or_dash(out);
}

std::string plugin_table(const Catalogue& catalogue) {
  std::vector<std::vector<std::string>> rows{{"plugin", "version", "vendor", "devices", "state", "file"}};
  for (const Candidate& c : catalogue.candidates())
    rows.push_back({or_dash(c.manifest.id), or_dash(c.manifest.version), or_dash(c.manifest.vendor), kinds(c),
                    known_state(c).word, c.file.string()});
  return rows.size() == 1 ? "no plugin was found\n" : aligned(rows);
}

std::string problems(const Catalogue& catalogue) {
  std::string out;
  for (const Candidate& c : catalogue.candidates())
    if (const auto known = known_state(c); known.error) out += "\n" + to_string(*known.error) + "\n";
  if (std::ranges::any_of(catalogue.candidates(), [](const Candidate& c) { return !known_state(c).usable; }))
    out += "\nrun `tenon devices` to probe what was not probed\n";
  return out;
}

/// "--plugin /a/late.tenon.json", "user folder /home/ada/...: does not exist"
std::string heading(const SearchedFolder& folder) {
  const std::string_view kind = folder.origin == Origin::user || folder.origin == Origin::system ? " folder" : "";
  return std::string(name(folder.origin)) + std::string(kind) + ": " + folder.path.string() +
         (folder.state.empty() ? "" : ": " + folder.state) + "\n";
}

std::string file_words(const FoundFile& file) { return (file.code.empty() ? "" : file.code + ": ") + file.words; }

std::string searched_text(const SearchedFolder& folder) {
  std::vector<std::vector<std::string>> rows;
  for (const FoundFile& file : folder.files)
    rows.push_back({file.file.filename().string(), file.taken ? "taken" : "not taken", file_words(file)});
  return heading(folder) + indented(aligned(rows), 4);
}

std::string search_path(const Catalogue& catalogue) {
  std::string out = "searched for plugins\n";
  std::size_t number = 0;
  for (const SearchedFolder& folder : searched_folders(catalogue))
    out += indented(std::to_string(++number) + ". " + searched_text(folder), 2);
  return out + "\n" + std::string(search_rule());
}

result<Output> run_plugins(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<PluginsArguments>(args, plugins_settings(), plugin_flags()));
  TENON_CHECK(expect_no_words(arguments.words));
  TENON_TRY(const Catalogue catalogue, Catalogue::scan(arguments.exec.search()));
  if (arguments.own.json) return Output(to_json(catalogue));
  std::string out = plugin_table(catalogue) + problems(catalogue);
  if (arguments.own.verbose) out = search_path(catalogue) + "\n" + out;
  return out;
}

}  // namespace

const Command plugins_command{"plugins",
                              "",
                              "list the plugins that were found, and where",
                              [] { return table_of<PluginsArguments>(plugins_settings()); },
                              plugin_flags,
                              run_plugins};

}  // namespace tenon::cli
