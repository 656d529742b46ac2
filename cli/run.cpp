#include <optional>

#include "checkpoint.h"
#include "command.h"
#include "dataset.h"
#include "examples.h"
#include "files.h"
#include "tenon/runtime.h"

namespace tenon::cli {
namespace {

struct RunArguments {
  std::optional<std::string> load, input, output;
};

const auto& settings() {
  static const auto all = std::to_array<Setting<RunArguments>>({
      {{.name = "--load",
        .metavar = "FILE",
        .expected = "a checkpoint that `tenon train --save` wrote",
        .help = "the model"},
       set_text<&RunArguments::load>},
      {{.name = "--input",
        .metavar = "FILE",
        .expected = "a CSV file with the model's feature columns",
        .help = "the rows"},
       set_text<&RunArguments::input>},
      {{.name = "--output",
        .metavar = "FILE",
        .expected = "the CSV file to write",
        .help = "a prediction for each row"},
       set_text<&RunArguments::output>},
  });
  return all;
}

result<void> require(const std::optional<std::string>& value, std::size_t row) {
  const FlagSpec& flag = settings()[row].flag;
  if (value) return {};
  return fail(usage_error(std::string(flag.name) + ": missing, expected " + flag.expected));
}

result<void> check(const RunArguments& arguments) {
  TENON_CHECK(require(arguments.load, 0));
  TENON_CHECK(require(arguments.input, 1));
  TENON_CHECK(require(arguments.output, 2));
  TENON_CHECK(check_distinct("--output", *arguments.output, "--input", *arguments.input));
  return check_distinct("--output", *arguments.output, "--load", *arguments.load);
}

/// The model that was asked for, in the sizes that the file speaks of.
ModelConfig config_for(const ModelKind& kind, const Checkpoint& about) {
  ModelConfig config{&kind, static_cast<Extent>(about.features.size()), {}, 1};
  if (kind.task == Task::classification) config.outputs = about.classes;
  if (kind.has_hidden_layers) config.hidden = about.hidden;
  return config;
}

result<Session> make_session(const DeviceRuntime& runtime, const Program& program, std::uint64_t rows) {
  SessionOptions options = runtime.session_options(GradientMode::evaluation);
  options.evaluation_batches = batch_sizes(rows, evaluation_rows);
  return Session::create(runtime.registry, program, options);
}

/// prediction, p0, p1, ...
std::vector<double> with_predictions(std::span<const double> probabilities, std::size_t classes) {
  std::vector<double> out;
  const std::vector<std::uint32_t> predicted = greatest_columns(probabilities, classes);
  for (std::size_t row = 0; row < predicted.size(); ++row) {
    out.push_back(predicted[row]);
    const auto p = probabilities.subspan(row * classes, classes);
    out.insert(out.end(), p.begin(), p.end());
  }
  return out;
}

std::vector<std::string> output_columns(const ModelConfig& config) {
  std::vector<std::string> columns{"prediction"};
  if (config.kind->task == Task::classification)
    for (Extent c = 0; c < config.outputs; ++c) columns.push_back("p" + std::to_string(c));
  return columns;
}

result<AtomicFile> write_predictions(const std::string& file, const ModelConfig& config, const Checkpoint& about,
                                     std::vector<double> outputs) {
  const std::uint64_t rows = outputs.size() / static_cast<std::size_t>(config.outputs);
  if (config.kind->task == Task::regression)
    denormalise(outputs, about.label_scale);
  else
    outputs = with_predictions(outputs, static_cast<std::size_t>(config.outputs));
  return stage_csv(file, output_columns(config), rows, outputs);
}

result<Output> run(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<RunArguments>(args, settings(), ExecFlags::table()));
  const RunArguments& own = arguments.own;
  TENON_TRY(const ModelKind* kind, parse_model(arguments.words));
  TENON_CHECK(check(own));
  arguments.exec.log();
  TENON_TRY(CheckpointFile file, read_checkpoint(*own.load));
  TENON_CHECK(require_told(file, *kind));
  TENON_TRY(const DeviceRuntime runtime, open_runtime(arguments.exec));
  const ModelConfig config = config_for(*kind, file.about);
  const Program program = make_program(config);
  TENON_TRY(const LoadedParameters loaded, load(file, config, program, runtime.real));
  TENON_TRY(std::vector<double> x, read_features(*own.input, file.about.features, file.about.label));
  TENON_CHECK(check_writable(*own.output));
  normalise(x, file.about.normalisation);
  TENON_CHECK(check_scaled(x, file.about.features, *own.input));
  const Examples examples{
      .rows = x.size() / file.about.features.size(), .x = std::move(x), .targets = {}, .labels = {}};
  TENON_TRY(Session session, make_session(runtime, program, examples.rows));
  note_widening(file, loaded);
  TENON_CHECK(session.set_parameters(loaded.values));
  TENON_TRY(std::vector<double> outputs, evaluate(session, examples));
  if (runtime.report) runtime.report->summary();
  Output output("rows " + std::to_string(examples.rows) + "\n");
  TENON_TRY(AtomicFile predictions, write_predictions(*own.output, config, file.about, std::move(outputs)));
  output.file.emplace(std::move(predictions));
  return output;
}

}  // namespace

const Command run_command{"run",
                          "MODEL",
                          "evaluate the rows of a CSV file with a trained model",
                          [] { return table_of<RunArguments>(settings()); },
                          ExecFlags::table,
                          run};

}  // namespace tenon::cli
