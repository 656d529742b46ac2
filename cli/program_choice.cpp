#include "program_choice.h"

#include <algorithm>
#include <iostream>

#include "dataset.h"
#include "run.h"
#include "table.h"
#include "tenon/program_text.h"
#include "tenon/text.h"

namespace tenon::cli {

result<void> add_extent(ProgramChoice& choice, const GivenFlag& flag) {
  const std::string_view text = *flag.value;
  const std::size_t sign = std::min(text.find('='), text.size());
  const std::optional<Extent> name = parse_extent(text.substr(0, sign));
  const auto number = parse_unsigned(text.substr(std::min(sign + 1, text.size())));
  if (!name || is_known(*name) || !number || *number > static_cast<std::uint64_t>(most_extent))
    return fail(bad_value(flag));
  if (std::ranges::find(choice.extents, *name, &BoundExtent::name) != choice.extents.end())
    return fail(usage_error("--extent: found \"" + std::string(text.substr(0, sign)) + "\" twice, expected it once"));
  choice.extents.push_back({*name, static_cast<Extent>(*number)});
  return {};
}

result<void> set_hidden(ProgramChoice& choice, const GivenFlag& flag) {
  auto widths = parse_hidden(*flag.value);
  if (!widths) return fail(bad_value(flag));
  choice.hidden = *std::move(widths);
  return {};
}

namespace {

// The program

result<Program> program_of_file(const std::string& file, const ProgramChoice& choice) {
  if (choice.load || choice.data || choice.label || choice.hidden)
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

result<Program> program_of_data(const ProgramChoice& choice, const ModelKind& kind) {
  TENON_TRY(const Dataset data, read_dataset(*choice.data, choice.label));
  Checkpoint about;
  about.features = data.features;
  if (kind.has_hidden_layers) about.hidden = choice.hidden.value_or(*parse_hidden(standard_hidden));
  if (kind.task == Task::classification) {
    TENON_TRY(const std::uint64_t classes, count_classes(data));
    about.classes = static_cast<Extent>(classes);
  }
  return make_program(config_for(kind, about));
}

/// In the sizes of the handwritten digits that the documentation trains on.
Program program_of_example_sizes(const ProgramChoice& choice, const ModelKind& kind) {
  constexpr Extent features = 64, classes = 10;
  ModelConfig config{&kind, features, {}, 1};
  std::string sizes = counted(features, "feature");
  if (kind.has_hidden_layers) config.hidden = choice.hidden.value_or(*parse_hidden(standard_hidden));
  if (kind.task == Task::classification) {
    config.outputs = classes;
    sizes += " and " + std::to_string(classes) + " classes";
  }
  std::cerr << "note: model " << kind.name << " in the sizes of an example, " << sizes
            << "; --data or --load takes a file's\n";
  return make_program(config);
}

result<Program> program_of_model(const ModelKind& kind, const ProgramChoice& choice) {
  if (choice.load && choice.data)
    return fail(usage_error("--load, --data: found both, expected at most one of them: the sizes of model " +
                            std::string(kind.name) + " are the file's"));
  if (choice.label && !choice.data)
    return fail(usage_error("--label: found it without --data, expected it with a file that has the column",
                            "leave --label out"));
  if (choice.hidden && (choice.load || !kind.has_hidden_layers))
    return fail(usage_error("--hidden: found it with " + std::string(choice.load ? "--load" : kind.name) +
                                ", expected it with a model that has hidden layers and no checkpoint",
                            "leave --hidden out"));
  if (choice.load) return program_of_checkpoint(*choice.load, kind);
  if (choice.data) return program_of_data(choice, kind);
  return program_of_example_sizes(choice, kind);
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

}  // namespace

result<Program> find_program(std::span<const std::string> words, const ProgramChoice& choice) {
  TENON_TRY(const bool is_file, names_program_file(words));
  if (is_file) return program_of_file(words.front(), choice);
  TENON_TRY(const ModelKind* kind, parse_model(words));
  return program_of_model(*kind, choice);
}

result<std::vector<Shape>> input_shapes(const Program& program, std::span<const BoundExtent> given) {
  TENON_TRY(const std::vector<BoundExtent> numbers, numbers_of(program, given));
  std::vector<Shape> out;
  for (const InputSpec& input : program.inputs) out.push_back(bind_extents(input.shape, numbers));
  return out;
}

}  // namespace tenon::cli
