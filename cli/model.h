// model.h: the models that the program can train and run, and how each becomes a Program. Plain values.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/program.h"
#include "tenon/result.h"
#include "tenon/source_init.h"

namespace tenon::cli {

enum class Task : std::uint8_t { regression, classification };
constexpr std::string_view name(Task task) { return task == Task::regression ? "regression" : "classification"; }

struct ModelKind {
  std::string_view name;
  Task task;
  bool has_hidden_layers;
  std::uint64_t epochs;  // where the user names none
  double rate;
  std::string_view summary;
};
std::span<const ModelKind> models();

/// The word that stands before the flags: one model's name and nothing else.
result<const ModelKind*> parse_model(std::span<const std::string> words);

inline constexpr std::string_view standard_hidden = "128";
/// "128,64"
result<std::vector<Extent>> parse_hidden(std::string_view text);

struct ModelConfig {
  const ModelKind* kind;
  Extent features;
  std::vector<Extent> hidden;  // empty unless the model has hidden layers
  Extent outputs;              // classes, or 1
};

/// fc1.weight (out, in), fc1.bias (out), fc2.weight, ... Input `features`; then `labels` or `target` for the loss.
/// Classification's forward program gives probabilities.
Program make_program(const ModelConfig& config);

/// Kaiming-uniform weights and zero biases; initialiser n of the program draws from next_seed(seed, n).
result<std::vector<SourceInit>> initial_values(const Program& program, std::uint64_t seed);

}  // namespace tenon::cli
