// checkpoint.h: a trained model as a file: parameters, normalisation, and what is needed to use them again.
//
// A safetensors file. Parameters stand under their own names at their own width; `normalisation.offset` and
// `normalisation.scale` are F64, one element per feature; a regression's label has `label.offset` and `label.scale`.
// The metadata name the model and its columns. Plain values.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "model.h"
#include "tenon/normalisation.h"
#include "tenon/safetensors.h"

namespace tenon::cli {

struct Checkpoint {
  std::string model, dtype, label;
  std::vector<std::string> features;
  std::vector<Extent> hidden;
  Extent classes = 0;  // of a classification
  Normalisation normalisation, label_scale;
};

struct CheckpointFile {
  std::filesystem::path path;
  TensorFile tensors;
  Checkpoint about;  // as far as the metadata say it; the normalisation is read by `load`
};

result<CheckpointFile> read_checkpoint(const std::filesystem::path& path);

/// Parameter values for a program whose real numbers are stored as `real`.
struct LoadedParameters {
  std::vector<std::vector<std::byte>> values;
  bool widened = false;  // from f32 to f64, exactly
};

/// Fits the file to the model that was asked for: what is missing, extra, of another shape or too wide comes in one
/// CHECKPOINT_MISMATCH. Fills in the file's normalisation.
result<LoadedParameters> load(CheckpointFile& file, const ModelConfig& config, const Program& program, DType real);

/// Says on standard error that values were widened, if they were.
void note_widening(const CheckpointFile& file, const LoadedParameters& loaded);

/// CHECKPOINT_MISMATCH that names each entry of the metadata which a model of this kind cannot be built without.
result<void> require_told(const CheckpointFile& file, const ModelKind& kind);

/// The file, written and not yet in its place.
result<AtomicFile> save(const std::filesystem::path& path, const Checkpoint& about, const Program& program, DType real,
                        std::vector<std::vector<std::byte>> parameters);

}  // namespace tenon::cli
