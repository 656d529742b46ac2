#include "tenon/module_file.h"

#include <algorithm>
#include <cstring>
#include <set>

#include "tenon/contain.h"
#include "tenon/safetensors.h"
#include "tenon/text.h"

namespace tenon {
namespace {

constexpr const char *format_key = "format", *format = "tenon-module-1";
constexpr const char *steps_key = "optimizer.steps", *draws_key = "draws";
constexpr std::string_view moment_prefix = "optimizer.";

struct Expected {
  std::string name;
  Shape shape;
};

std::string moment_name(const Moment& moment) {
  return std::string(moment_prefix) + moment.name + "." + moment.parameter;
}

Shape shape_of(const Program& program, const std::string& parameter) {
  return std::ranges::find(program.parameters, parameter, &ParameterSpec::name)->shape;
}

/// Parameters, then states, then moments: the order in which they are read again.
std::vector<Expected> expected_tensors(const Program& program, const OptimizerSnapshot* optimizer) {
  std::vector<Expected> all;
  for (const ParameterSpec& p : program.parameters) all.push_back({p.name, p.shape});
  for (const StateSpec& s : program.states) all.push_back({s.name, s.shape});
  if (optimizer != nullptr)
    for (const Moment& moment : optimizer->moments)
      all.push_back({moment_name(moment), shape_of(program, moment.parameter)});
  return all;
}

std::string type_text(DType dtype, const Shape& shape) { return std::string(name(dtype)) + " " + to_string(shape); }

/// What is wrong with one expected tensor; empty if nothing is.
std::string problem(const Expected& expected, DType real, const TensorFile& file) {
  const NamedTensor* found = file.find(expected.name);
  const std::string wanted = type_text(real, expected.shape);
  if (found == nullptr) return "missing " + expected.name + ": the module has " + wanted;
  const bool fits = found->dtype == real || (found->dtype == DType::f32 && real == DType::f64);
  if (found->shape == expected.shape && fits) return {};
  const bool too_wide = found->shape == expected.shape && found->dtype == DType::f64;
  return (too_wide ? "too wide " : "mismatched ") + expected.name + ": the file has " +
         type_text(found->dtype, found->shape) + ", the module " + wanted;
}

std::vector<std::string> problems(const TensorFile& file, std::span<const Expected> expected, DType real,
                                  bool with_optimizer) {
  std::vector<std::string> wrong;
  std::set<std::string_view> known;
  for (const Expected& tensor : expected) {
    known.insert(tensor.name);
    if (auto found = problem(tensor, real, file); !found.empty()) wrong.push_back(std::move(found));
  }
  for (const NamedTensor& tensor : file.tensors) {
    const bool passed_over = !with_optimizer && tensor.name.starts_with(moment_prefix);
    if (!passed_over && !known.contains(tensor.name))
      wrong.push_back("extra " + tensor.name + ": the file has " + type_text(tensor.dtype, tensor.shape));
  }
  return wrong;
}

tl::unexpected<Error> mismatch(const std::filesystem::path& path, const std::string& words, std::string hint) {
  return fail(Reason::CHECKPOINT_MISMATCH, "[module file] " + path.string() + words, std::move(hint));
}

/// A counter of the metadata; a file of plain tensors, which another program wrote, begins at 0.
result<std::uint64_t> counter(const std::filesystem::path& path, const TensorFile& file, const char* key) {
  const auto at = file.metadata.find(key);
  if (at == file.metadata.end()) return 0;
  if (const auto value = parse_unsigned(at->second); value && *value <= std::uint64_t{1} << 62) return *value;
  return mismatch(path, ": metadata " + std::string(key) + ": found \"" + at->second + "\", expected a whole number",
                  "load a file that save() wrote");
}

std::vector<std::byte> widened(std::span<const std::byte> narrow) {
  std::vector<std::byte> wide(narrow.size() * 2);
  for (std::size_t i = 0; i < narrow.size() / sizeof(float); ++i) {
    float value;
    std::memcpy(&value, narrow.data() + i * sizeof value, sizeof value);
    const double exact = value;
    std::memcpy(wide.data() + i * sizeof exact, &exact, sizeof exact);
  }
  return wide;
}

/// Hands out the file's tensors in the order of what was expected.
class Taking {
 public:
  Taking(TensorFile& file, std::span<const Expected> expected, DType real, LoadedModule& loaded)
      : file_(file), expected_(expected), real_(real), loaded_(loaded) {}

  std::vector<std::byte> next() {
    const NamedTensor& tensor = *file_.find(expected_[next_++].name);
    if (tensor.dtype == real_) return tensor.bytes;
    loaded_.widened = true;
    return widened(tensor.bytes);
  }

 private:
  TensorFile& file_;
  std::span<const Expected> expected_;
  DType real_;
  LoadedModule& loaded_;
  std::size_t next_ = 0;
};

void add_all(TensorFile& file, std::span<const Expected> expected, std::size_t first, DType real,
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
    const auto expected = expected_tensors(module.program(), optimizer == nullptr ? nullptr : &snapshot);
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
    SessionSnapshot snapshot;
    if (optimizer != nullptr) {
      TENON_TRY(snapshot.optimizer, session.read_optimizer(*optimizer));
    }
    const auto expected = expected_tensors(module.program(), optimizer == nullptr ? nullptr : &snapshot.optimizer);
    const auto wrong = problems(file, expected, module.real(), optimizer != nullptr);
    constexpr std::size_t shown_lines = 20;
    if (!wrong.empty())
      return mismatch(path,
                      " does not fit the module:\n    " +
                          join(std::span(wrong).first(std::min(wrong.size(), shown_lines)), "\n    "),
                      "load a file that this module was saved to; values are never narrowed");
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
