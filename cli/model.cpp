#include "model.h"

#include <algorithm>
#include <array>

#include "tenon/flags.h"
#include "tenon/float_init.h"
#include "tenon/random.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr auto known_models = std::to_array<ModelKind>({
    {"linear", Task::regression, false, 50, 0.1, "one linear layer, mean squared error"},
    {"mlp", Task::classification, true, 20, 0.003, "linear layers with relu between them, cross entropy"},
});

constexpr std::uint64_t widest_layer = std::uint64_t{1} << 24;

std::vector<std::string> model_names() {
  std::vector<std::string> names;
  for (const ModelKind& kind : known_models) names.emplace_back(kind.name);
  return names;
}

std::vector<ParameterSpec> layer_parameters(const ModelConfig& config) {
  std::vector<ParameterSpec> out;
  Extent in = config.features;
  const auto add = [&](Extent width) {
    const std::string layer = "fc" + std::to_string(out.size() / 2 + 1);
    out.push_back({layer + ".weight", Shape{width, in}});
    out.push_back({layer + ".bias", Shape{width}});
    in = width;
  };
  for (const Extent width : config.hidden) add(width);
  add(config.outputs);
  return out;
}

/// The last layer's values: logits or predictions.
Value layers(const ProgramArguments& a) {
  Value x = a.reals[0];
  for (std::size_t i = 0; i < a.parameters.size(); i += 2) {
    if (i > 0) x = relu(x);
    x = linear(x, a.parameters[i], a.parameters[i + 1]);
  }
  return x;
}

void become_regression(Program& program, Extent outputs) {
  program.inputs.push_back({"target", Kind::real, Shape{batch, outputs}});
  program.forward = layers;
  program.loss = [](const ProgramArguments& a) { return mse_loss(layers(a), a.reals[1]); };
}

void become_classification(Program& program) {
  program.inputs.push_back({"labels", Kind::natural, Shape(batch)});
  program.forward = [](const ProgramArguments& a) { return softmax(layers(a)); };
  program.loss = [](const ProgramArguments& a) { return cross_entropy(layers(a), a.naturals[0]); };
}

}  // namespace

std::span<const ModelKind> models() { return known_models; }

result<const ModelKind*> parse_model(std::span<const std::string> words) {
  const std::vector<std::string> names = model_names();
  if (words.empty()) return fail(usage_error("MODEL: missing, expected one of " + join(names)));
  const auto kind = std::ranges::find(known_models, words[0], &ModelKind::name);
  if (kind == known_models.end())
    return fail(usage_error("MODEL: found \"" + shown(words[0]) + "\", expected one of " + join(names),
                            suggestion(words[0], names)));
  if (words.size() > 1)
    return fail(
        usage_error("unexpected argument: found \"" + shown(words[1]) + "\" after MODEL, expected a flag or nothing"));
  return &*kind;
}

result<std::vector<Extent>> parse_hidden(std::string_view text) {
  std::vector<Extent> widths;
  for (std::size_t begin = 0; begin <= text.size();) {
    const std::size_t end = std::min(text.find(',', begin), text.size());
    const auto width = parse_unsigned(text.substr(begin, end - begin));
    if (!width || *width == 0 || *width > widest_layer)
      return fail(usage_error("hidden layers: found \"" + std::string(text) +
                              "\", expected widths of 1 to 16777216, such as 128,64"));
    widths.push_back(static_cast<Extent>(*width));
    begin = end + 1;
  }
  return widths;
}

Program make_program(const ModelConfig& config) {
  Program program{.name = std::string(config.kind->name),
                  .parameters = layer_parameters(config),
                  .inputs = {{"features", Kind::real, Shape{batch, config.features}}},
                  .forward_reals = 1,
                  .forward_naturals = 0,
                  .forward = {},
                  .loss = {}};
  if (config.kind->task == Task::regression)
    become_regression(program, config.outputs);
  else
    become_classification(program);
  return program;
}

result<std::vector<SourceInit>> initial_values(const Program& program, std::uint64_t seed) {
  std::vector<SourceInit> out;
  for (const ParameterSpec& parameter : program.parameters) {
    FloatInit scheme = init::Zeros{};
    if (parameter.shape.rank > 1) {
      TENON_TRY(scheme, kaiming_uniform_for_shape(parameter.shape, random::next_seed(seed, out.size())));
    }
    TENON_TRY(SourceInit source, as_source(scheme, parameter.shape));
    out.push_back(std::move(source));
  }
  return out;
}

}  // namespace tenon::cli
