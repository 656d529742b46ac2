#include "checkpoint.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <iostream>

#include "json_output.h"
#include "tenon/flags.h"
#include "tenon/tensor_fit.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::string_view format = "tenon-checkpoint-1";

std::vector<ExpectedTensor> expected_tensors(const ModelConfig& config, const Program& program, DType real) {
  std::vector<ExpectedTensor> out;
  for (const ParameterSpec& p : program.parameters) out.push_back({p.name, p.shape, real});
  const auto add = [&](std::string_view name, Extent elements) {
    out.push_back({std::string(name), Shape(elements), DType::f64});
  };
  add("normalisation.offset", config.features);
  add("normalisation.scale", config.features);
  if (config.kind->task == Task::regression) add("label.offset", 1), add("label.scale", 1);
  return out;
}

/// Empty if the file names this model or none.
std::string other_model(const CheckpointFile& file, const ModelKind& kind) {
  const std::string& model = file.about.model;
  if (model.empty() || model == kind.name) return {};
  return "another model: the file says \"" + model + "\", expected " + std::string(kind.name);
}

/// "metadata classes: missing": each entry that the kind needs and that the file does not tell.
std::vector<std::string> untold(const CheckpointFile& file, const ModelKind& kind) {
  std::vector<std::string> out;
  const auto add = [&](const char* key, bool told, const std::string& expected) {
    const auto at = file.tensors.metadata.find(key);
    const bool missing = at == file.tensors.metadata.end();
    if (!told)
      out.push_back("metadata " + std::string(key) + ": " +
                    (missing ? "missing" : "found \"" + shown(at->second) + "\"") + ", expected " + expected);
  };
  const Checkpoint& about = file.about;
  add("model", !about.model.empty(), std::string(kind.name));
  add("feature_columns", !about.features.empty(), "a list of names");
  if (kind.task == Task::classification) add("classes", about.classes > 0, "a whole number from 1 to 65536");
  if (kind.has_hidden_layers) add("hidden", !about.hidden.empty(), "widths such as 128,64");
  return out;
}

std::vector<std::string> problems(const CheckpointFile& file, const ModelConfig& config,
                                  std::span<const ExpectedTensor> expected) {
  std::vector<std::string> out;
  if (auto other = other_model(file, *config.kind); !other.empty()) out.push_back(std::move(other));
  std::ranges::move(misfits(file.tensors, expected, "model"), std::back_inserter(out));
  return out;
}

std::string place_of(const std::filesystem::path& path) { return "[checkpoint] " + path.string(); }

tl::unexpected<Error> mismatch(const CheckpointFile& file, const ModelKind& kind, std::span<const std::string> wrong,
                               std::string hint) {
  return misfit_error(place_of(file.path), "model " + std::string(kind.name), wrong, std::move(hint));
}

result<void> check(const CheckpointFile& file, const ModelConfig& config, std::span<const ExpectedTensor> expected) {
  std::vector<std::string> wrong = problems(file, config, expected);
  if (wrong.empty()) return {};
  if (!are_too_wide(wrong)) {
    const std::vector<std::string> flaws = untold(file, *config.kind);
    wrong.insert(wrong.begin(), flaws.begin(), flaws.end());
  }
  return mismatch(file, *config.kind, wrong, "load a checkpoint of this model");
}

std::vector<double> doubles(const NamedTensor& tensor) {
  const std::vector<std::byte> bytes = bytes_as(tensor, DType::f64);
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
  return fail(Reason::CHECKPOINT_MISMATCH,
              "[checkpoint] " + file.path.string() + ": " + name +
                  " has a value that is not finite or a scale that is not above 0",
              "train the model again, or load another checkpoint");
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

/// "[2, 1]": where an element stands in its tensor.
std::string position(std::size_t element, const Shape& shape) {
  std::string out;
  for (int axis = shape.rank; axis-- > 0;) {
    const auto extent = static_cast<std::size_t>(shape[axis]);
    out.insert(0, std::to_string(element % extent) + (out.empty() ? "" : ", "));
    element /= extent;
  }
  return "[" + out + "]";
}

result<void> check_finite(const CheckpointFile& file, const NamedTensor& parameter) {
  const std::vector<double> values = doubles(parameter);
  const auto wrong = std::ranges::find_if_not(values, [](double x) { return std::isfinite(x); });
  if (wrong == values.end()) return {};
  const std::string found = std::isnan(*wrong) ? "nan" : shortest(*wrong);
  return fail(Reason::FILE_MALFORMED,
              "[checkpoint] " + file.path.string() + ": " + parameter.name +
                  position(static_cast<std::size_t>(wrong - values.begin()), parameter.shape) + ": found " + found +
                  ", expected a finite number: the training that saved it diverged",
              "train the model again with a smaller --rate, or load another checkpoint");
}

}  // namespace

result<void> require_told(const CheckpointFile& file, const ModelKind& kind) {
  std::vector<std::string> wrong = untold(file, kind);
  if (wrong.empty()) return {};
  if (auto other = other_model(file, kind); !other.empty()) wrong.insert(wrong.begin(), std::move(other));
  return mismatch(file, kind, wrong,
                  "load a checkpoint that `tenon train " + std::string(kind.name) + " --save` wrote");
}

result<CheckpointFile> read_checkpoint(const std::filesystem::path& path) {
  TENON_TRY(TensorFile tensors, read_safetensors(path));
  TENON_CHECK(
      check_format(place_of(path), tensors, format, "load a file that this version's `tenon train --save` wrote"));
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
    TENON_CHECK(check_finite(file, found));
    out.widened |= found.dtype != real;
    out.values.push_back(bytes_as(found, real));
  }
  return out;
}

void note_widening(const CheckpointFile& file, const LoadedParameters& loaded) {
  if (loaded.widened)
    std::cerr << "note: " << file.path.string() << " holds f32, widened to f64 without change of value\n";
}

result<AtomicFile> save(const std::filesystem::path& path, const Checkpoint& about, const Program& program, DType real,
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
  return stage_safetensors(path, file);
}

}  // namespace tenon::cli
