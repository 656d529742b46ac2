#include "tenon/module_file.h"

#include <algorithm>

#include "tenon/contain.h"
#include "tenon/tensor_fit.h"
#include "tenon/text.h"

namespace tenon {
namespace {

constexpr const char *format_key = "format", *format = "tenon-module-1";
constexpr const char *steps_key = "optimizer.steps", *draws_key = "draws";
constexpr const char* foreign_hint = "load a file that save() wrote";
constexpr std::string_view moment_prefix = "optimizer.", owner = "module";

std::string moment_name(const Moment& moment) {
  return std::string(moment_prefix) + moment.name + "." + moment.parameter;
}

Shape shape_of(const Program& program, const std::string& parameter) {
  return std::ranges::find(program.parameters, parameter, &ParameterSpec::name)->shape;
}

/// Parameters, then states, then moments: the order in which they are read again.
std::vector<ExpectedTensor> expected_tensors(const Program& program, DType real, const OptimizerSnapshot* optimizer) {
  std::vector<ExpectedTensor> all;
  for (const ParameterSpec& p : program.parameters) all.push_back({p.name, p.shape, real});
  for (const StateSpec& s : program.states) all.push_back({s.name, s.shape, real});
  if (optimizer != nullptr)
    for (const Moment& moment : optimizer->moments)
      all.push_back({moment_name(moment), shape_of(program, moment.parameter), real});
  return all;
}

std::string place_of(const std::filesystem::path& path) { return "[module file] " + path.string(); }

/// What the file must hold: with an optimizer its state too, else such state is passed over.
std::vector<std::string> problems(const TensorFile& file, std::span<const ExpectedTensor> expected,
                                  const OptimizerSnapshot* optimizer) {
  const auto is_moment = [](std::string_view name) { return name.starts_with(moment_prefix); };
  if (optimizer == nullptr) return misfits(file, expected, owner, is_moment);
  std::vector<std::string> wrong = misfits(file, expected, owner);
  const bool has_moments = std::ranges::any_of(file.tensors, is_moment, &NamedTensor::name);
  if (has_moments && !file.metadata.contains(steps_key))
    wrong.push_back("metadata " + std::string(steps_key) + ": missing, expected a whole number");
  return wrong;
}

/// A counter of the metadata; a file of plain tensors, which another program wrote, begins at 0.
result<std::uint64_t> counter(const std::filesystem::path& path, const TensorFile& file, const char* key) {
  const auto at = file.metadata.find(key);
  if (at == file.metadata.end()) return 0;
  if (const auto value = parse_unsigned(at->second); value && *value <= std::uint64_t{1} << 62) return *value;
  return fail(
      Reason::CHECKPOINT_MISMATCH,
      place_of(path) + ": metadata " + key + ": found \"" + excerpt(at->second, 200) + "\", expected a whole number",
      foreign_hint);
}

/// Hands out the file's tensors in the order of what was expected.
class Taking {
 public:
  Taking(TensorFile& file, std::span<const ExpectedTensor> expected, DType real, LoadedModule& loaded)
      : file_(file), expected_(expected), real_(real), loaded_(loaded) {}

  std::vector<std::byte> next() {
    const NamedTensor& tensor = *file_.find(expected_[next_++].name);
    loaded_.widened |= tensor.dtype != real_;
    return bytes_as(tensor, real_);
  }

 private:
  TensorFile& file_;
  std::span<const ExpectedTensor> expected_;
  DType real_;
  LoadedModule& loaded_;
  std::size_t next_ = 0;
};

void add_all(TensorFile& file, std::span<const ExpectedTensor> expected, std::size_t first, DType real,
             std::vector<std::vector<std::byte>> values) {
  for (std::size_t i = 0; i < values.size(); ++i)
    file.tensors.push_back({expected[first + i].name, real, expected[first + i].shape, std::move(values[i])});
}

}  // namespace

result<void> save_module(const std::filesystem::path& path, ModuleCore& module, const Optimizer* optimizer) {
  return contained("module file", [&]() -> result<void> {
    Session& session = module.session();
    OptimizerSnapshot snapshot;
    if (optimizer != nullptr) {
      TENON_TRY(snapshot, session.read_optimizer(*optimizer));
    }
    const auto expected = expected_tensors(module.program(), module.real(), optimizer == nullptr ? nullptr : &snapshot);
    TensorFile file;
    file.metadata = {{format_key, format}, {draws_key, std::to_string(session.draws())}};
    if (optimizer != nullptr) file.metadata[steps_key] = std::to_string(snapshot.steps);
    TENON_TRY(auto parameters, session.read_parameters());
    TENON_TRY(auto states, session.read_states());
    const std::size_t first_state = parameters.size(), first_moment = first_state + states.size();
    add_all(file, expected, 0, module.real(), std::move(parameters));
    add_all(file, expected, first_state, module.real(), std::move(states));
    std::vector<std::vector<std::byte>> moments;
    for (Moment& moment : snapshot.moments) moments.push_back(std::move(moment.bytes));
    add_all(file, expected, first_moment, module.real(), std::move(moments));
    return write_safetensors(path, file);
  });
}

result<LoadedModule> load_module(const std::filesystem::path& path, ModuleCore& module, Optimizer* optimizer) {
  return contained("module file", [&]() -> result<LoadedModule> {
    Session& session = module.session();
    TENON_TRY(TensorFile file, read_safetensors(path));
    TENON_CHECK(check_format(place_of(path), file, format, foreign_hint));
    SessionSnapshot snapshot;
    if (optimizer != nullptr) {
      TENON_TRY(snapshot.optimizer, session.read_optimizer(*optimizer));
    }
    const OptimizerSnapshot* wanted = optimizer == nullptr ? nullptr : &snapshot.optimizer;
    const auto expected = expected_tensors(module.program(), module.real(), wanted);
    if (const auto wrong = problems(file, expected, wanted); !wrong.empty())
      return misfit_error(place_of(path), "the module", wrong, "load a file that this module was saved to");
    TENON_TRY(snapshot.draws, counter(path, file, draws_key));
    TENON_TRY(const std::uint64_t steps, counter(path, file, steps_key));
    snapshot.optimizer.steps = static_cast<std::int64_t>(steps);
    LoadedModule loaded;
    Taking taking(file, expected, module.real(), loaded);
    for (std::size_t i = 0; i < module.program().parameters.size(); ++i) snapshot.parameters.push_back(taking.next());
    for (std::size_t i = 0; i < module.program().states.size(); ++i) snapshot.states.push_back(taking.next());
    for (Moment& moment : snapshot.optimizer.moments) moment.bytes = taking.next();
    TENON_CHECK(module.restore(snapshot, optimizer));
    return loaded;
  });
}

}  // namespace tenon
