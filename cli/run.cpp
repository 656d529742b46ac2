#include "run.h"

#include "dataset.h"
#include "examples.h"
#include "files.h"
#include "tenon/runtime.h"

namespace tenon::cli {
namespace {

const auto& run_settings() {
  static const auto all = std::to_array<Setting<RunArguments>>({
      {{.name = "--load",
        .metavar = "FILE",
        .expected = "a checkpoint that `tenon train --save` wrote",
        .help = "the model; of a program: the values of its parameters and states, as safetensors"},
       set_text<&RunArguments::load>},
      {{.name = "--input",
        .metavar = "FILE",
        .expected = "a CSV file with the model's feature columns",
        .help = "the rows; of a program: its inputs by name in FILE.safetensors, or one matrix as CSV"},
       set_text<&RunArguments::input>},
      {{.name = "--output",
        .metavar = "FILE",
        .expected = "the CSV file to write",
        .help = "a prediction for each row; of a program: its result, as CSV or in FILE.safetensors"},
       set_text<&RunArguments::output>},
  });
  return all;
}

result<void> check(const RunArguments& arguments) {
  TENON_CHECK(require(arguments.load, load_flag));
  TENON_CHECK(require(arguments.input, input_flag));
  TENON_CHECK(require(arguments.output, output_flag));
  TENON_CHECK(check_distinct("--output", *arguments.output, "--input", *arguments.input));
  return check_distinct("--output", *arguments.output, "--load", *arguments.load);
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

result<Output> run_model(const Arguments<RunArguments>& arguments) {
  const RunArguments& own = arguments.own;
  TENON_TRY(const ModelKind* kind, parse_model(arguments.words));
  TENON_CHECK(check(own));
  arguments.exec.log();
  TENON_TRY(CheckpointFile file, read_checkpoint(*own.load));
  TENON_CHECK(require_told(file, *kind));
  TENON_TRY(DeviceRuntime runtime, open_runtime(arguments.exec));
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
  TENON_CHECK(runtime.finish());
  Output output("rows " + std::to_string(examples.rows) + "\n");
  TENON_TRY(AtomicFile predictions, write_predictions(*own.output, config, file.about, std::move(outputs)));
  output.file.emplace(std::move(predictions));
  return output;
}

result<Output> run_program(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<RunArguments>(args, run_settings(), ExecFlags::table()));
  TENON_TRY(const bool is_program, names_program_file(arguments.words));
  const RunArguments& own = arguments.own;
  TENON_CHECK(
      check_trace(arguments.exec.trace, {{"--load", own.load}, {"--input", own.input}, {"--output", own.output}}));
  return is_program ? run_program(arguments.words.front(), arguments.own, arguments.exec) : run_model(arguments);
}

}  // namespace

result<void> require(const std::optional<std::string>& value, std::size_t row) {
  const FlagSpec& flag = run_settings()[row].flag;
  if (value) return {};
  return fail(usage_error(std::string(flag.name) + ": missing, expected " + flag.expected));
}

result<bool> names_program_file(std::span<const std::string> words) {
  if (words.empty() || !words.front().ends_with(".tenon")) return false;
  TENON_CHECK(expect_no_words(words.subspan(1)));
  return true;
}

ModelConfig config_for(const ModelKind& kind, const Checkpoint& about) {
  ModelConfig config{&kind, static_cast<Extent>(about.features.size()), {}, 1};
  if (kind.task == Task::classification) config.outputs = about.classes;
  if (kind.has_hidden_layers) config.hidden = about.hidden;
  return config;
}

const Command run_command{"run",
                          "MODEL|FILE.tenon",
                          "evaluate rows with a trained model or a program",
                          [] { return table_of<RunArguments>(run_settings()); },
                          ExecFlags::table,
                          run_program};

}  // namespace tenon::cli
