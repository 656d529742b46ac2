#include <algorithm>
#include <iostream>

#include "files.h"
#include "run.h"
#include "table.h"
#include "tenon/csv.h"
#include "tenon/explanation.h"
#include "tenon/extents.h"
#include "tenon/program_text.h"
#include "tenon/runtime.h"
#include "tenon/tensor_fit.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

constexpr std::size_t most_listed = 20;  // names in an error

bool is_safetensors(const std::filesystem::path& file) { return file.extension() == ".safetensors"; }

/// The inputs that forward takes: reals, then naturals.
std::vector<InputSpec> forward_inputs(const Program& program) {
  std::vector<InputSpec> out;
  std::size_t reals = 0, naturals = 0;
  for (const InputSpec& input : program.inputs) {
    const bool is_real = input.kind == Kind::real;
    if (is_real ? reals++ < program.forward_reals : naturals++ < program.forward_naturals) out.push_back(input);
  }
  return out;
}

result<void> check(const std::string& file, const Program& program, const RunArguments& arguments) {
  if (!forward_inputs(program).empty()) TENON_CHECK(require(arguments.input, input_flag));
  TENON_CHECK(require(arguments.output, output_flag));
  TENON_CHECK(check_distinct("--output", *arguments.output, "MODEL", file));
  if (arguments.input) TENON_CHECK(check_distinct("--output", *arguments.output, "--input", *arguments.input));
  if (arguments.load) return check_distinct("--output", *arguments.output, "--load", *arguments.load);
  if (program.parameters.empty()) return {};
  std::vector<std::string> names;
  for (const ParameterSpec& p : program.parameters) names.push_back(p.name + " " + to_string(p.shape));
  return fail(usage_error("--load: missing, expected a safetensors file with the program's parameters: " +
                          listed(names, most_listed)));
}

// Parameters and states

/// What the file is to hold: states stand in it like parameters.
std::vector<ExpectedTensor> stored_tensors(const Program& program, DType real) {
  std::vector<ExpectedTensor> all;
  for (const ParameterSpec& p : program.parameters) all.push_back({p.name, p.shape, real});
  for (const StateSpec& s : program.states) all.push_back({s.name, s.shape, real});
  return all;
}

bool belongs_to_a_checkpoint(std::string_view name) {
  return name.starts_with("normalisation.") || name.starts_with("label.");
}

result<void> check_tensors(const std::string& path, const TensorFile& file, const Program& program, DType real) {
  const auto wrong = misfits(file, stored_tensors(program, real), "program", belongs_to_a_checkpoint);
  if (wrong.empty()) return {};
  return misfit_error("[checkpoint] " + path, "program " + program.name, wrong,
                      "load a file of this program's tensors");
}

/// Parameters and states from the file; without one a program has no parameters, and its states are as they begin.
result<void> load_values(Session& session, const RunArguments& arguments, DType real) {
  if (!arguments.load) return {};
  const Program& program = session.program();
  TENON_TRY(TensorFile file, read_safetensors(*arguments.load));
  TENON_CHECK(check_tensors(*arguments.load, file, program, real));
  SessionSnapshot snapshot;
  bool widened = false;
  const auto take = [&](const std::string& name) {
    const NamedTensor& found = *file.find(name);
    widened |= found.dtype != real;
    return bytes_as(found, real);
  };
  for (const ParameterSpec& p : program.parameters) snapshot.parameters.push_back(take(p.name));
  for (const StateSpec& s : program.states) snapshot.states.push_back(take(s.name));
  if (widened) std::cerr << "note: " << *arguments.load << " holds f32, widened to f64 without change of value\n";
  return session.restore(snapshot, nullptr);
}

// Inputs

/// The inputs' values, in the order in which forward takes them. Owns them.
struct Inputs {
  std::vector<NamedTensor> tensors;
  std::vector<Shape> shapes;
  std::vector<BoundExtent> bound;
};

tl::unexpected<Error> data_mismatch(const std::string& file, const std::string& text, std::string hint = {}) {
  return fail(Reason::DATA_MISMATCH, "[data] " + file + ": " + text, std::move(hint));
}

/// Gives the names among an input's extents the numbers that its tensor has.
result<void> bind_input(const std::string& file, const InputSpec& input, const NamedTensor& found,
                        std::vector<BoundExtent>& bound) {
  const bool is_natural = found.dtype == DType::u32;
  const Shape expected = bind_extents(input.shape, bound);
  if (is_natural == (input.kind == Kind::natural) && match_extents(input.shape, found.shape, bound)) return {};
  return data_mismatch(file, "input " + input.name + ": found " + type_text(found.dtype, found.shape) + ", expected " +
                                 (input.kind == Kind::natural ? "u32 " : "f32 or f64 ") + to_string(expected));
}

result<Inputs> bound_inputs(const std::string& file, std::span<const InputSpec> specs,
                            std::vector<NamedTensor> tensors) {
  Inputs out{std::move(tensors), {}, {}};
  for (std::size_t i = 0; i < specs.size(); ++i) {
    TENON_CHECK(bind_input(file, specs[i], out.tensors[i], out.bound));
    out.shapes.push_back(out.tensors[i].shape);
  }
  return out;
}

result<Inputs> read_tensors(const std::string& path, const Program& program, std::span<const InputSpec> wanted) {
  TENON_TRY(TensorFile file, read_safetensors(path));
  std::vector<std::string> wrong;
  std::vector<NamedTensor> tensors;
  for (const InputSpec& input : wanted) {
    const NamedTensor* found = file.find(input.name);
    if (found == nullptr)
      wrong.push_back("missing " + input.name);
    else
      tensors.push_back(*found);
  }
  for (const NamedTensor& t : file.tensors)
    if (std::ranges::find(program.inputs, t.name, &InputSpec::name) == program.inputs.end())
      wrong.push_back("extra " + t.name);
  if (!wrong.empty())
    return data_mismatch(path, "its tensors are not the program's inputs: found " + listed(wrong, most_listed) +
                                   ", expected those of " + program.name);
  return bound_inputs(path, wanted, std::move(tensors));
}

result<Inputs> read_matrix(const std::string& path, std::span<const InputSpec> wanted) {
  const bool is_one = wanted.size() == 1 && wanted[0].kind == Kind::real && wanted[0].shape.rank == 2;
  if (!is_one)
    return data_mismatch(path,
                         "a CSV file holds one matrix: found a program with " + counted(wanted.size(), "input") +
                             ", expected one real input of two axes",
                         "give the inputs as FILE.safetensors");
  TENON_TRY(const Table table, read_csv(path));
  const Shape shape{static_cast<Extent>(table.rows), static_cast<Extent>(table.columns.size())};
  const auto bytes = std::as_bytes(std::span(table.values));
  return bound_inputs(path, wanted, {{wanted[0].name, DType::f64, shape, {bytes.begin(), bytes.end()}}});
}

result<Inputs> read_inputs(const RunArguments& arguments, const Program& program) {
  const std::vector<InputSpec> wanted = forward_inputs(program);
  if (!arguments.input) return Inputs{};
  return is_safetensors(*arguments.input) ? read_tensors(*arguments.input, program, wanted)
                                          : read_matrix(*arguments.input, wanted);
}

template <class T>
std::span<const T> elements_of(const NamedTensor& tensor) {
  return {reinterpret_cast<const T*>(tensor.bytes.data()), tensor.bytes.size() / sizeof(T)};
}

std::uint64_t rows_of(const Inputs& inputs) {
  const auto rows = std::ranges::find(inputs.bound, batch, &BoundExtent::name);
  return rows == inputs.bound.end() ? 1 : static_cast<std::uint64_t>(rows->number);
}

Batch batch_of(const Inputs& inputs) {
  Batch out{.rows = rows_of(inputs), .reals = {}, .naturals = {}, .shapes = inputs.shapes};
  for (const NamedTensor& t : inputs.tensors) {
    if (t.dtype == DType::u32)
      out.naturals.push_back(elements_of<std::uint32_t>(t));
    else
      out.reals.push_back(t.dtype == DType::f32 ? RealSpan(elements_of<float>(t)) : RealSpan(elements_of<double>(t)));
  }
  return out;
}

/// The program for just these inputs: what the session needs to know is only their extents.
Program for_inputs(Program program, const Inputs& inputs) {
  program.inputs = forward_inputs(program);
  for (std::size_t i = 0; i < program.inputs.size(); ++i) program.inputs[i].shape = inputs.shapes[i];
  return program;
}

// Output

result<void> check_form(const std::string& file, const Shape& shape) {
  if (is_safetensors(file) || (shape.rank <= 2 && (shape.rank < 2 || shape[1] > 0))) return {};
  return fail(usage_error(
      "--output: found " + file + ", a table, for a result " + to_string(shape) + ", expected FILE.safetensors",
      "choose a file that ends in .safetensors"));
}

std::vector<std::string> column_names(const Shape& shape) {
  if (shape.rank < 2) return {"output"};
  std::vector<std::string> out;
  for (Extent column = 0; column < shape[1]; ++column) out.push_back("output" + std::to_string(column));
  return out;
}

result<AtomicFile> write_output(const std::string& file, const Shape& shape, DType real,
                                const std::vector<double>& values) {
  if (!is_safetensors(file))
    return stage_csv(file, column_names(shape), shape.rank == 0 ? 1 : static_cast<std::uint64_t>(shape[0]), values);
  const std::vector<float> narrow(values.begin(), values.end());
  const auto bytes = real == DType::f32 ? std::as_bytes(std::span(narrow)) : std::as_bytes(std::span(values));
  return stage_safetensors(file, {{}, {{"output", real, shape, {bytes.begin(), bytes.end()}}}});
}

result<Session> make_session(const DeviceRuntime& runtime, const Program& program, const Inputs& inputs) {
  SessionOptions options = runtime.session_options(GradientMode::evaluation);
  options.evaluation_batches = {rows_of(inputs)};
  return Session::create(runtime.registry, program, options);
}

/// An operation is told with what the run was to be: where its operands would lie, and in which dtype.
template <class T>
result<T> told_for(const ExecConfig& exec, result<T> done) {
  if (done || done.error().reason != Reason::SHAPE_MISMATCH) return done;
  const bool is_single = exec.scalar_type().kind == ScalarType::Kind::float32;
  done.error().text += "\n  in a run with --device " + exec.device + ", real numbers as " +
                       (is_single ? std::string(name(DType::f32)) : to_string(exec.scalar_type()));
  return done;
}

}  // namespace

result<Output> run_program(const std::string& file, const RunArguments& arguments, const ExecConfig& exec) {
  TENON_TRY(const Program original, told_for(exec, read_program(file)));
  TENON_CHECK(check(file, original, arguments));
  exec.log();
  TENON_TRY(const Inputs inputs, read_inputs(arguments, original));
  const Program program = for_inputs(original, inputs);
  TENON_TRY(const RecordedProgram recorded, told_for(exec, record_forward(program, inputs.shapes)));
  const Shape shape = recorded.graph.types()[recorded.result].shape;
  TENON_CHECK(check_form(*arguments.output, shape));
  TENON_CHECK(check_writable(*arguments.output));
  TENON_TRY(DeviceRuntime runtime, open_runtime(exec));
  TENON_TRY(Session session, make_session(runtime, program, inputs));
  TENON_CHECK(load_values(session, arguments, runtime.real));
  TENON_TRY(const std::vector<double> results, session.evaluate(batch_of(inputs)));
  TENON_CHECK(runtime.finish());
  Output output("output " + to_string(shape) + "\n");
  TENON_TRY(AtomicFile written, write_output(*arguments.output, shape, runtime.real, results));
  output.file.emplace(std::move(written));
  return output;
}

}  // namespace tenon::cli
