#include "checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>
#include <set>

#include "json_output.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::string_view format = "tenon-checkpoint-1";

/// A tensor that the model asks of the file.
struct Expected {
  std::string name;
  Shape shape;
  DType dtype;
};

std::vector<Expected> expected_tensors(const ModelConfig& config, const Program& program, DType real) {
  std::vector<Expected> out;
  for (const ParameterSpec& p : program.parameters) out.push_back({p.name, p.shape, real});
  const auto add = [&](std::string_view name, Extent elements) {
    out.push_back({std::string(name), Shape(elements), DType::f64});
  };
  add("normalisation.offset", config.features);
  add("normalisation.scale", config.features);
  if (config.kind->task == Task::regression) add("label.offset", 1), add("label.scale", 1);
  return out;
}

std::string text(DType dtype, const Shape& shape) { return std::string(name(dtype)) + " " + to_string(shape); }

/// What is wrong with one expected tensor; empty if nothing is.
std::string problem(const Expected& expected, const TensorFile& file) {
  const NamedTensor* found = file.find(expected.name);
  const std::string wanted = text(expected.dtype, expected.shape);
  if (found == nullptr) return "missing " + expected.name + ": the model has " + wanted;
  const std::string sides =
      expected.name + ": the file has " + text(found->dtype, found->shape) + ", the model " + wanted;
  if (found->shape != expected.shape) return "mismatched " + sides;
  if (found->dtype == expected.dtype || (found->dtype == DType::f32 && expected.dtype == DType::f64)) return {};
  return (found->dtype == DType::f64 ? "too wide " : "mismatched ") + sides;
}

std::vector<std::string> problems(const CheckpointFile& file, const ModelConfig& config,
                                  std::span<const Expected> expected) {
  std::vector<std::string> out;
  if (file.about.model != config.kind->name)
    out.push_back("another model: the file says \"" + file.about.model + "\", expected " +
                  std::string(config.kind->name));
  std::set<std::string> known;
  for (const Expected& tensor : expected) {
    known.insert(tensor.name);
    if (auto wrong = problem(tensor, file.tensors); !wrong.empty()) out.push_back(std::move(wrong));
  }
  for (const NamedTensor& tensor : file.tensors.tensors)
    if (!known.contains(tensor.name))
      out.push_back("extra " + tensor.name + ": the file has " + text(tensor.dtype, tensor.shape));
  return out;
}

result<void> check(const CheckpointFile& file, const ModelConfig& config, std::span<const Expected> expected) {
  const std::vector<std::string> wrong = problems(file, config, expected);
  if (wrong.empty()) return {};
  const bool narrows = std::ranges::all_of(wrong, [](const std::string& p) { return p.starts_with("too wide"); });
  return fail(Reason::CHECKPOINT_MISMATCH,
              "[checkpoint] " + file.path.string() + " does not fit model " + std::string(config.kind->name) +
                  ":\n    " + join(wrong, "\n    "),
              narrows ? "values are never narrowed: use --dtype float" : "load a checkpoint of this model");
}

std::vector<std::byte> widen(std::span<const std::byte> narrow) {
  std::vector<std::byte> wide(narrow.size() * 2);
  for (std::size_t i = 0; i < narrow.size() / sizeof(float); ++i) {
    float value;
    std::memcpy(&value, narrow.data() + i * sizeof(float), sizeof value);
    const double exact = value;
    std::memcpy(wide.data() + i * sizeof(double), &exact, sizeof exact);
  }
  return wide;
}

std::vector<double> doubles(const NamedTensor& tensor) {
  const std::vector<std::byte> bytes = tensor.dtype == DType::f32 ? widen(tensor.bytes) : tensor.bytes;
  std::vector<double> out(bytes.size() / sizeof(double));
  std::memcpy(out.data(), bytes.data(), bytes.size());
  return out;
}

NamedTensor tensor(std::string name, std::span<const double> values) {
  std::vector<std::byte> bytes(values.size_bytes());
  std::memcpy(bytes.data(), values.data(), bytes.size());
  return {std::move(name), DType::f64, Shape(static_cast<Extent>(values.size())), std::move(bytes)};
}

result<Normalisation> read_normalisation(const CheckpointFile& file, const std::string& name) {
  Normalisation out{doubles(*file.tensors.find(name + ".offset")), doubles(*file.tensors.find(name + ".scale"))};
  const auto is_finite = [](double x) { return std::isfinite(x); };
  const auto is_scale = [](double x) { return std::isfinite(x) && x > 0; };
  if (std::ranges::all_of(out.offset, is_finite) && std::ranges::all_of(out.scale, is_scale)) return out;
  return fail(Reason::CHECKPOINT_MISMATCH, "[checkpoint] " + file.path.string() + ": " + name +
                                               " has a value that is not finite or a scale that is not above 0");
}

std::string hidden_text(std::span<const Extent> hidden) {
  std::vector<std::string> widths;
  for (const Extent width : hidden) widths.push_back(std::to_string(width));
  return join(widths, ",");
}

/// The metadata of a file that another program wrote may say anything or nothing; tensors are what decides.
Checkpoint read_about(const std::map<std::string, std::string>& metadata) {
  const auto value = [&](const char* key) {
    const auto at = metadata.find(key);
    return at == metadata.end() ? std::string() : at->second;
  };
  Checkpoint about{.model = value("model"),
                   .dtype = value("dtype"),
                   .label = value("label_column"),
                   .features = parse_list(value("feature_columns")),
                   .hidden = {},
                   .classes = 0,
                   .normalisation = {},
                   .label_scale = {}};
  if (auto hidden = parse_hidden(value("hidden"))) about.hidden = *std::move(hidden);
  if (const auto classes = parse_unsigned(value("classes")); classes && *classes <= 1u << 16)
    about.classes = static_cast<Extent>(*classes);
  return about;
}

}  // namespace

result<CheckpointFile> read_checkpoint(const std::filesystem::path& path) {
  TENON_TRY(TensorFile tensors, read_safetensors(path));
  Checkpoint about = read_about(tensors.metadata);
  return CheckpointFile{path, std::move(tensors), std::move(about)};
}

result<LoadedParameters> load(CheckpointFile& file, const ModelConfig& config, const Program& program, DType real) {
  TENON_CHECK(check(file, config, expected_tensors(config, program, real)));
  TENON_TRY(file.about.normalisation, read_normalisation(file, "normalisation"));
  if (config.kind->task == Task::regression) {
    TENON_TRY(file.about.label_scale, read_normalisation(file, "label"));
  }
  LoadedParameters out;
  for (const ParameterSpec& p : program.parameters) {
    const NamedTensor& found = *file.tensors.find(p.name);
    out.widened |= found.dtype != real;
    out.values.push_back(found.dtype == real ? found.bytes : widen(found.bytes));
  }
  return out;
}

void note_widening(const CheckpointFile& file, const LoadedParameters& loaded) {
  if (loaded.widened)
    std::cerr << "note: " << file.path.string() << " holds f32, widened to f64 without change of value\n";
}

result<void> save(const std::filesystem::path& path, const Checkpoint& about, const Program& program, DType real,
                  std::vector<std::vector<std::byte>> parameters) {
  TensorFile file;
  file.metadata = {{"format", std::string(format)},
                   {"model", about.model},
                   {"dtype", about.dtype},
                   {"label_column", about.label},
                   {"hidden", hidden_text(about.hidden)},
                   {"feature_columns", list_text(about.features)}};
  if (about.classes > 0) file.metadata["classes"] = std::to_string(about.classes);
  for (std::size_t i = 0; i < parameters.size(); ++i)
    file.tensors.push_back({program.parameters[i].name, real, program.parameters[i].shape, std::move(parameters[i])});
  const auto add = [&](const std::string& name, const Normalisation& n) {
    file.tensors.push_back(tensor(name + ".offset", n.offset));
    file.tensors.push_back(tensor(name + ".scale", n.scale));
  };
  add("normalisation", about.normalisation);
  if (!about.label_scale.offset.empty()) add("label", about.label_scale);
  return write_safetensors(path, file);
}

}  // namespace tenon::cli
