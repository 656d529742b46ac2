#include "explain.h"

#include <algorithm>

#include "dataset.h"
#include "run.h"
#include "tenon/extents.h"
#include "tenon/operation_text.h"
#include "tenon/program_text.h"
#include "tenon/runtime.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

struct ExplainArguments {
  std::optional<std::string> load, data, label;
  std::optional<std::vector<Extent>> hidden;
  std::vector<BoundExtent> extents;
  bool forward_only = false, json = false;
};

constexpr Extent most_extent = Extent{1} << 40;

/// "batch=32"; "dyn=8" is the number of every extent without a name.
result<void> add_extent(ExplainArguments& arguments, const GivenFlag& flag) {
  const std::string_view text = *flag.value;
  const std::size_t sign = std::min(text.find('='), text.size());
  const std::optional<Extent> name = parse_extent(text.substr(0, sign));
  const auto number = parse_unsigned(text.substr(std::min(sign + 1, text.size())));
  if (!name || is_known(*name) || !number || *number > static_cast<std::uint64_t>(most_extent))
    return fail(bad_value(flag));
  if (std::ranges::find(arguments.extents, *name, &BoundExtent::name) != arguments.extents.end())
    return fail(usage_error("--extent: found \"" + std::string(text.substr(0, sign)) + "\" twice, expected it once"));
  arguments.extents.push_back({*name, static_cast<Extent>(*number)});
  return {};
}

result<void> set_hidden(ExplainArguments& arguments, const GivenFlag& flag) {
  auto widths = parse_hidden(*flag.value);
  if (!widths) return fail(bad_value(flag));
  arguments.hidden = *std::move(widths);
  return {};
}

const auto& settings() {
  static const auto all = std::to_array<Setting<ExplainArguments>>({
      {{.name = "--extent",
        .metavar = "NAME=N",
        .expected = "the name of an extent and its number, as in batch=32",
        .help = "the number of an unknown extent; repeatable",
        .standard = "1 for each",
        .repeatable = true},
       add_extent},
      {{.name = "--load",
        .metavar = "FILE",
        .expected = "a checkpoint that `tenon train --save` wrote",
        .help = "the sizes of a model are its checkpoint's"},
       set_text<&ExplainArguments::load>},
      {{.name = "--data",
        .metavar = "FILE",
        .expected = "a CSV file of numbers with a label column",
        .help = "the sizes of a model are those that training on this file would give it"},
       set_text<&ExplainArguments::data>},
      {{.name = "--label",
        .metavar = "COLUMN",
        .expected = "the name of a column",
        .help = "what is to be learnt from --data",
        .standard = "the column label, else target, else the last"},
       set_text<&ExplainArguments::label>},
      {{.name = "--hidden",
        .metavar = "N,N",
        .expected = "widths of 1 to 16777216, as in 128,64",
        .help = "hidden layers of mlp with --data",
        .standard = std::string(standard_hidden)},
       set_hidden},
      {{.name = "--forward-only", .metavar = {}, .expected = {}, .help = "leave out the loss and its gradient"},
       set_true<&ExplainArguments::forward_only>},
      {{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
       set_true<&ExplainArguments::json>},
  });
  return all;
}

// The program

result<Program> program_of_file(const std::string& file, const ExplainArguments& arguments) {
  if (arguments.load || arguments.data || arguments.label || arguments.hidden)
    return fail(usage_error("--load, --data, --label and --hidden: found one of them with " + file +
                                ", expected them with a model only: the file says its sizes",
                            "leave them out"));
  return read_program(file);
}

result<Program> program_of_checkpoint(const std::string& path, const ModelKind& kind) {
  TENON_TRY(const CheckpointFile file, read_checkpoint(path));
  TENON_CHECK(require_told(file, kind));
  return make_program(config_for(kind, file.about));
}

result<Program> program_of_data(const ExplainArguments& arguments, const ModelKind& kind) {
  TENON_TRY(const Dataset data, read_dataset(*arguments.data, arguments.label));
  Checkpoint about;
  about.features = data.features;
  if (kind.has_hidden_layers) about.hidden = arguments.hidden.value_or(*parse_hidden(standard_hidden));
  if (kind.task == Task::classification) {
    TENON_TRY(const std::uint64_t classes, count_classes(data));
    about.classes = static_cast<Extent>(classes);
  }
  return make_program(config_for(kind, about));
}

result<Program> program_of_model(const ModelKind& kind, const ExplainArguments& arguments) {
  if (arguments.load.has_value() == arguments.data.has_value())
    return fail(usage_error("--load, --data: found " + std::string(arguments.load ? "both" : "neither") +
                            ", expected one of them: the sizes of model " + std::string(kind.name) +
                            " are the file's"));
  if (arguments.hidden && (arguments.load || !kind.has_hidden_layers))
    return fail(usage_error("--hidden: found it with " + std::string(arguments.load ? "--load" : kind.name) +
                                ", expected it with --data and a model that has hidden layers",
                            "leave --hidden out"));
  return arguments.load ? program_of_checkpoint(*arguments.load, kind) : program_of_data(arguments, kind);
}

result<Program> find_program(std::span<const std::string> words, const ExplainArguments& arguments) {
  TENON_TRY(const bool is_file, names_program_file(words));
  if (is_file) return program_of_file(words.front(), arguments);
  TENON_TRY(const ModelKind* kind, parse_model(words));
  return program_of_model(*kind, arguments);
}

// Its extents

/// Every unknown extent of the inputs with its number. A name that no input has is a slip.
result<std::vector<BoundExtent>> numbers_of(const Program& program, std::span<const BoundExtent> given) {
  std::vector<BoundExtent> out;
  std::vector<std::string> names;
  for (const InputSpec& input : program.inputs)
    for (const Extent e : input.shape.extents()) {
      if (is_known(e) || std::ranges::find(out, e, &BoundExtent::name) != out.end()) continue;
      const auto wanted = std::ranges::find(given, e, &BoundExtent::name);
      out.push_back({e, wanted == given.end() ? 1 : wanted->number});
      names.push_back(extent_text(e));
    }
  for (const BoundExtent& g : given)
    if (const std::string word = extent_text(g.name); std::ranges::find(names, word) == names.end())
      return fail(usage_error("--extent: found \"" + word + "\", expected an extent of program " + program.name + ": " +
                                  (names.empty() ? "none is unknown" : join(names)),
                              suggestion(word, names)));
  return out;
}

std::vector<std::string> leaf_lines(const Program& program, std::span<const Shape> inputs) {
  std::vector<std::string> out;
  const auto add = [&](std::string_view word, std::string_view name, const Shape& shape) {
    out.push_back("%" + std::to_string(out.size()) + " = " + std::string(word) + " " + name_text(name) + " : " +
                  to_string(shape));
  };
  for (const ParameterSpec& p : program.parameters)
    add(p.requires_grad ? "parameter" : "frozen parameter", p.name, p.shape);
  for (const StateSpec& s : program.states) add("state", s.name, s.shape);
  for (std::size_t i = 0; i < inputs.size(); ++i)
    add(program.inputs[i].kind == Kind::real ? "input" : "natural", program.inputs[i].name, inputs[i]);
  return out;
}

// What serves it

result<ExplainedPart> explained_part(std::string name, GradientMode mode, RecordedProgram recorded,
                                     const DeviceRuntime& runtime) {
  ExplainedPart part{std::move(name), mode, std::move(recorded), {}};
  TENON_TRY(part.operations, explain(part.recorded.graph, runtime.registry, {runtime.real, mode}));
  return part;
}

std::optional<Error> gaps_of(const Explained& explained, const Device& device) {
  Gaps gaps;
  for (const ExplainedPart& part : explained.parts)
    for (const ExplainedOperation& operation : part.operations)
      if (operation.choice.capsule == nullptr)
        gaps.add(explain_gap(operation.request, operation.choice, device),
                 "%" + std::to_string(operation.node.output) + " of " + part.name);
  if (gaps.empty()) return std::nullopt;
  return gaps.error(device);
}

result<Output> run(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<ExplainArguments>(args, settings(), ExecFlags::table()));
  const ExplainArguments& own = arguments.own;
  TENON_TRY(const Program program, find_program(arguments.words, own));
  TENON_TRY(const std::vector<BoundExtent> numbers, numbers_of(program, own.extents));
  arguments.exec.log();
  std::vector<Shape> inputs;
  for (const InputSpec& input : program.inputs) inputs.push_back(bind_extents(input.shape, numbers));
  TENON_TRY(RecordedProgram forward, record_forward(program, inputs));
  TENON_TRY(const DeviceRuntime runtime, open_runtime(arguments.exec));
  std::optional<RecordedProgram> training;
  if (program.loss && !own.forward_only) {
    TENON_TRY(training, record_training(program, inputs, own_gradients(runtime.registry, runtime.real)));
  }
  Explained explained{program.name, runtime.registry.device()->name(), runtime.real, leaf_lines(program, inputs), {}};
  const auto add = [&](std::string name, GradientMode mode, RecordedProgram recorded) -> result<void> {
    TENON_TRY(auto part, explained_part(std::move(name), mode, std::move(recorded), runtime));
    explained.parts.push_back(std::move(part));
    return {};
  };
  TENON_CHECK(add("forward", GradientMode::evaluation, std::move(forward)));
  if (training) TENON_CHECK(add("loss and gradient", GradientMode::training, *std::move(training)));
  Output output(own.json ? to_json(explained) : to_text(explained));
  output.error = gaps_of(explained, *runtime.registry.device());
  return output;
}

}  // namespace

const Command explain_command{"explain",
                              "MODEL",
                              "show which kernel would serve each operation, and why",
                              [] { return table_of<ExplainArguments>(settings()); },
                              ExecFlags::table,
                              run};

}  // namespace tenon::cli
