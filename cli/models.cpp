#include "command.h"
#include "json_output.h"
#include "model.h"
#include "table.h"

namespace tenon::cli {
namespace {

struct ModelsArguments {
  bool json = false;
};

const auto& models_settings() {
  static const auto all = std::to_array<Setting<ModelsArguments>>({
      {{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
       set_true<&ModelsArguments::json>},
  });
  return all;
}

std::string table() {
  std::vector<std::vector<std::string>> rows{{"model", "task", "flags", "about"}};
  for (const ModelKind& m : models())
    rows.push_back({std::string(m.name), std::string(name(m.task)), m.has_hidden_layers ? "--hidden 128,64" : "-",
                    std::string(m.summary)});
  return aligned(rows);
}

result<Output> run_models(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<ModelsArguments>(args, models_settings(), no_flags()));
  TENON_CHECK(expect_no_words(arguments.words));
  return Output(arguments.own.json ? to_json(models()) : table());
}

}  // namespace

const Command models_command{"models",
                             "",
                             "list the models that can be trained and run",
                             [] { return table_of<ModelsArguments>(models_settings()); },
                             no_flags,
                             run_models};

}  // namespace tenon::cli
