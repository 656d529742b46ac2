#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "checkpoint.h"
#include "command.h"
#include "dataset.h"
#include "files.h"
#include "table.h"
#include "tenon/runtime.h"
#include "tenon/shuffle.h"
#include "train_arguments.h"

namespace tenon::cli {
namespace {

/// Everything about a training that is known before a device is opened.
struct Setup {
  ModelConfig config{};
  TrainingPlan plan{};
  Checkpoint about;
  std::optional<CheckpointFile> start;
  Examples train, test;
};

Extent outputs_of(const ModelKind& kind, const Checkpoint& about) {
  return kind.task == Task::classification ? about.classes : 1;
}

/// What the data say about the model, or the file that training starts from.
result<void> describe(Setup& setup, const Dataset& data, const TrainArguments& arguments, const ModelKind& kind) {
  Checkpoint& about = setup.about;
  about.model = kind.name;
  about.label = data.label;
  about.features = data.features;
  if (kind.has_hidden_layers) about.hidden = arguments.hidden.value_or(*parse_hidden(standard_hidden));
  if (kind.task == Task::classification) {
    TENON_TRY(const std::uint64_t classes, count_classes(data));
    about.classes = static_cast<Extent>(classes);
  }
  if (setup.start) {
    const Checkpoint& file = setup.start->about;
    if (kind.has_hidden_layers && !file.hidden.empty()) about.hidden = file.hidden;
    if (kind.task == Task::classification && file.classes > 0) about.classes = file.classes;
  }
  setup.config = {&kind, static_cast<Extent>(data.width()), about.hidden, outputs_of(kind, about)};
  return {};
}

/// Rows with their labels, in the file's order and units.
result<Examples> all_examples(const Dataset& data, const Setup& setup) {
  Examples all{.rows = data.rows, .x = data.x, .targets = {}, .labels = {}};
  if (setup.config.kind->task == Task::regression) {
    all.targets = data.y;
  } else {
    const std::string next = setup.start
                                 ? "mend the label: the checkpoint has classes 0 to " +
                                       std::to_string(setup.config.outputs - 1) + " only; or train anew without --load"
                                 : std::string();
    TENON_TRY(all.labels, class_numbers(data, static_cast<std::uint64_t>(setup.config.outputs), next));
  }
  return all;
}

/// The first rows of the seed's permutation are for testing.
result<void> split(Setup& setup, const Examples& all, double test_fraction, const Dataset& data) {
  const std::vector<std::uint64_t> order = permutation(all.rows, setup.plan.seed, 0);
  const auto tested = static_cast<std::size_t>(std::llround(static_cast<double>(all.rows) * test_fraction));
  if (tested >= all.rows)
    return fail(Reason::DATA_MISMATCH,
                fmt::format("[data] {}: found {}, of which --test-fraction keeps {} back, "
                            "expected at least one to train on",
                            data.file.string(), counted(all.rows, "row"), tested),
                "use --test-fraction 0");
  setup.test = all.taken(std::span(order).first(tested));
  setup.train = all.taken(std::span(order).subspan(tested));
  return {};
}

/// Measured on the training rows, unless the file brings it.
void measure_normalisation(Setup& setup, NormalisationKind kind) {
  setup.about.normalisation = fit_normalisation(kind, setup.train.x, setup.train.width());
  if (setup.train.targets.empty()) return;
  const bool scales = kind != NormalisationKind::none;
  setup.about.label_scale = fit_normalisation(scales ? NormalisationKind::standard : kind, setup.train.targets, 1);
}

result<void> apply_normalisation(Setup& setup, const std::filesystem::path& file) {
  for (Examples* examples : {&setup.train, &setup.test}) {
    normalise(examples->x, setup.about.normalisation);
    TENON_CHECK(check_scaled(examples->x, setup.about.features, file));
    if (examples->targets.empty()) continue;
    normalise(examples->targets, setup.about.label_scale);
    TENON_CHECK(check_scaled(examples->targets, std::span(&setup.about.label, 1), file));
  }
  return {};
}

/// The file that training starts from says which columns; one that names none fits those of the data by their number.
result<Dataset> read_data(const TrainArguments& arguments, const std::optional<CheckpointFile>& start) {
  if (!start || start->about.features.empty()) return read_dataset(*arguments.data, arguments.label);
  return read_dataset_for(*arguments.data, start->about.features, arguments.label.value_or(start->about.label));
}

result<Setup> prepare(const TrainArguments& arguments, const ModelKind& kind, std::uint64_t seed) {
  Setup setup;
  setup.plan = plan_for(arguments, kind, seed);
  if (arguments.load) {
    TENON_TRY(setup.start, read_checkpoint(*arguments.load));
  }
  TENON_TRY(const Dataset data, read_data(arguments, setup.start));
  TENON_CHECK(describe(setup, data, arguments, kind));
  TENON_TRY(const Examples all, all_examples(data, setup));
  TENON_CHECK(split(setup, all, arguments.test_fraction, data));
  return setup;
}

/// Everything that will run is announced, so that what the device lacks is one error before anything ran.
result<Session> make_session(const DeviceRuntime& runtime, const Program& program, const Setup& setup,
                             const OptimizerSpec& optimizer) {
  SessionOptions options = runtime.session_options(GradientMode::training);
  options.training_batches = batch_sizes(setup.train.rows, setup.plan.batch);
  options.evaluation_batches = batch_sizes(setup.train.rows, evaluation_rows);
  const auto tested = batch_sizes(setup.test.rows, evaluation_rows);
  options.evaluation_batches.insert(options.evaluation_batches.end(), tested.begin(), tested.end());
  options.optimizer = optimizer;
  if (!setup.start) {
    TENON_TRY(options.initial_values, initial_values(program, runtime.seed));
  }
  return Session::create(runtime.registry, program, options);
}

/// First values by the seed, or those of the file.
result<void> start(Session& session, const Setup& setup, const LoadedParameters& loaded, const DeviceRuntime& runtime) {
  if (!setup.start) {
    TENON_TRY(const std::vector<SourceInit> inits, initial_values(session.program(), runtime.seed));
    return session.initialise(inits);
  }
  note_widening(*setup.start, loaded);
  return session.set_parameters(loaded.values);
}

result<LoadedParameters> load_start(Setup& setup, const Program& program, DType real) {
  if (!setup.start) return LoadedParameters{};
  TENON_TRY(LoadedParameters loaded, load(*setup.start, setup.config, program, real));
  setup.about.normalisation = setup.start->about.normalisation;
  setup.about.label_scale = setup.start->about.label_scale;
  return loaded;
}

std::string accuracy(std::span<const std::uint32_t> predicted, std::span<const std::uint32_t> labels) {
  std::size_t right = 0;
  for (std::size_t i = 0; i < labels.size(); ++i) right += predicted[i] == labels[i] ? 1 : 0;
  const double share = 100.0 * static_cast<double>(right) / static_cast<double>(labels.size());
  return fmt::format("test accuracy {:.2f} % ({} of {})\n", share, right, labels.size());
}

/// In the label's own units.
std::string mean_squared_error(std::span<const double> predicted, const Examples& test, const Normalisation& scale) {
  double sum = 0;
  for (std::size_t i = 0; i < test.targets.size(); ++i) {
    const double difference = (predicted[i] - test.targets[i]) * scale.scale[0];
    sum += difference * difference;
  }
  return fmt::format("test mean squared error {:.6g} ({})\n",
                     std::isnan(sum) ? std::abs(sum) : sum / static_cast<double>(test.rows), counted(test.rows, "row"));
}

result<std::string> test_result(Session& session, const Setup& setup) {
  if (setup.test.rows == 0) return "no test rows\n";
  TENON_TRY(const std::vector<double> outputs, evaluate(session, setup.test));
  if (setup.config.kind->task == Task::regression)
    return mean_squared_error(outputs, setup.test, setup.about.label_scale);
  return accuracy(greatest_columns(outputs, static_cast<std::size_t>(setup.config.outputs)), setup.test.labels);
}

result<std::string> train_and_test(Session& session, Optimizer& optimizer, const Setup& setup) {
  TENON_TRY(const std::uint64_t steps, train(session, optimizer, setup.train, setup.plan));
  TENON_TRY(const double loss, mean_loss(session, setup.train));
  TENON_CHECK(check_loss(loss, "after " + counted(steps, "step")));
  TENON_TRY(const std::string test, test_result(session, setup));
  return fmt::format("training loss {:.6f} after {} on {}\n{}", loss, counted(steps, "step"),
                     counted(setup.train.rows, "row"), test);
}

result<void> save_if_asked(Output& output, Session& session, const Setup& setup, const TrainArguments& arguments,
                           DType real) {
  if (!arguments.save) return {};
  TENON_TRY(auto parameters, session.read_parameters());
  TENON_TRY(AtomicFile saved, save(*arguments.save, setup.about, session.program(), real, std::move(parameters)));
  output.file.emplace(std::move(saved));
  output.note = "saved " + *arguments.save + "\n";
  return {};
}

result<Output> run_training(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<TrainArguments>(args, train_settings(), ExecFlags::table()));
  const TrainArguments& own = arguments.own;
  TENON_TRY(const ModelKind* kind, parse_model(arguments.words));
  TENON_CHECK(check(own, *kind));
  TENON_CHECK(check_trace(arguments.exec.trace, {{"--data", own.data}, {"--load", own.load}, {"--save", own.save}}));
  arguments.exec.log();
  TENON_TRY(Setup setup, prepare(own, *kind, arguments.exec.seed));
  if (own.save) TENON_CHECK(check_writable(*own.save));
  TENON_TRY(DeviceRuntime runtime, open_runtime(arguments.exec));
  setup.about.dtype = to_string(arguments.exec.scalar_type());
  const Program program = make_program(setup.config);
  TENON_TRY(const LoadedParameters loaded, load_start(setup, program, runtime.real));
  if (!setup.start) measure_normalisation(setup, own.normalisation.value_or(NormalisationKind::range));
  TENON_CHECK(apply_normalisation(setup, *own.data));
  const OptimizerSpec spec = optimizer_spec(own.optimizer);
  TENON_TRY(Session session, make_session(runtime, program, setup, spec));
  TENON_TRY(Optimizer optimizer, session.init_optim(spec));  // its memory too before anything runs
  TENON_CHECK(start(session, setup, loaded, runtime));
  TENON_TRY(std::string results, train_and_test(session, optimizer, setup));
  Output output(std::move(results));
  TENON_CHECK(save_if_asked(output, session, setup, own, runtime.real));
  TENON_CHECK(runtime.finish());
  return output;
}

}  // namespace

const Command train_command{
    "train",          "MODEL",     "train a model on a CSV file", [] { return table_of(train_settings()); },
    ExecFlags::table, run_training};

}  // namespace tenon::cli
