// Programs drawn over the whole table of operations do the same on every device with every backend: the same bits, and
// the same words where they are refused.
//
// TENON_RANDOM_PROGRAMS says how many are drawn, TENON_RANDOM_SEED the first one's seed.
#include <unistd.h>

#include <csignal>
#include <cstring>
#include <map>
#include <tuple>

#include "session/random/draw_program.h"
#include "session/random/shrink.h"
#include "session/random/transcript.h"
#include "support/test_device.h"
#include "tenon/resolved_graph.h"

namespace tenon::test {
namespace {

std::uint64_t number_from(const char* variable, std::uint64_t otherwise) {
  const char* const text = std::getenv(variable);
  return text == nullptr ? otherwise : std::strtoull(text, nullptr, 10);
}

char crash_note[64];

/// A program that crashes cannot be shrunk here; this says which one it was.
void name_crashing_program(int signal) {
  std::ignore = write(STDERR_FILENO, crash_note, std::strlen(crash_note));
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

/// One device serves all sessions of its kind and type.
const Registry& shared_registry(const std::string& device, DType real) {
  static std::map<std::pair<std::string, DType>, Registry> registries;
  const auto known = registries.find({device, real});
  if (known != registries.end()) return known->second;
  return registries.emplace(std::pair(device, real), registry_of(device, strict_policy())).first->second;
}

bool served_everywhere(Op op, const Case& c) {
  std::vector<OperandType> types;
  std::vector<const OperandType*> pointers;
  for (std::size_t i = 0; i < c.operands.size(); ++i) types.push_back({spec(op).kind(i), c.operands[i]});
  Message why;
  const Shape out = infer(op, types, c.attributes, why);
  if (broadcasts_operands(op))
    for (OperandType& type : types) type.shape = out;
  for (const OperandType& type : types) pointers.push_back(&type);
  return std::ranges::all_of(device_kinds(), [&](const std::string& device) {
    const Request request = request_of(op, pointers, out, c.attributes, {DType::f32, GradientMode::training});
    return shared_registry(device, DType::f32).choose(request).capsule != nullptr;
  });
}

const Vocabulary& words() {
  static const Vocabulary all = vocabulary(served_everywhere);
  return all;
}

/// The first difference between any place and the eager cpu; nothing where all agree.
std::optional<std::string> disagreement(const RandomProgram& program, DType real) {
  std::optional<Transcript> expected;
  for (const std::string& device : device_kinds())
    for (const Backend backend : {Backend::eager, Backend::compiled}) {
      Transcript found = Observer(program, real).observe(shared_registry(device, real), backend);
      if (!expected) {
        expected = std::move(found);
        continue;
      }
      if (const auto what = difference(*expected, found))
        return std::string(name(real)) + ", cpu eager against " + device + " " + std::string(name(backend)) + ": " +
               *what;
    }
  return std::nullopt;
}

std::string report(const RandomProgram& program, DType real) {
  const RandomProgram small =
      Shrinker(program, [&](const RandomProgram& p) { return disagreement(p, real).has_value(); }).shrink();
  return *disagreement(small, real) + "\nof the program\n" + to_string(small) + "which was drawn as\n" +
         to_string(program);
}

class RandomPrograms : public testing::TestWithParam<DType> {};

TEST_P(RandomPrograms, AgreeOnEveryDeviceWithEveryBackend) {
  const std::uint64_t first = number_from("TENON_RANDOM_SEED", 1), count = number_from("TENON_RANDOM_PROGRAMS", 300);
  for (const int signal : {SIGSEGV, SIGABRT, SIGFPE}) std::signal(signal, name_crashing_program);
  for (std::uint64_t seed = first; seed < first + count; ++seed) {
    std::snprintf(crash_note, sizeof crash_note, "crashed with TENON_RANDOM_SEED=%lu\n", seed);
    const RandomProgram program = ProgramDrawer(words(), seed).draw();
    if (disagreement(program, GetParam())) FAIL() << report(program, GetParam());
  }
}

INSTANTIATE_TEST_SUITE_P(OfBothTypes, RandomPrograms, testing::Values(DType::f32, DType::f64),
                         [](const auto& i) { return std::string(name(i.param)); });

TEST(DrawnPrograms, UseTheWholeTableAndMostlyRun) {
  std::map<Op, int> uses;
  int ran = 0, finite = 0, label_errors = 0, shape_errors = 0, states = 0;
  const int count = 300;
  for (std::uint64_t seed = 1; seed <= count; ++seed) {
    const RandomProgram program = ProgramDrawer(words(), seed).draw();
    const Transcript seen = Observer(program, DType::f32).observe(shared_registry("cpu", DType::f32), Backend::eager);
    const auto gradient = std::ranges::find(seen, "loss with gradients", &Observation::what);
    const std::string error = gradient == seen.end() ? seen.back().error : gradient->error;
    label_errors += error.find("INDEX_OUT_OF_RANGE") != std::string::npos;
    shape_errors += error.find("SHAPE_MISMATCH") != std::string::npos;
    if (!error.empty()) continue;
    ++ran;
    finite += std::isfinite(gradient->values[0]);
    states += !program.state_updates.empty();
    ++uses[program.optimizer.op];
    for (const RandomLine& line : program.lines) ++uses[line.op];
  }
  for (const auto* rows : {&words().lines, &words().updates})
    for (const Vocabulary::Row& row : *rows) EXPECT_GT(uses[row.op], 2) << name(row.op);
  EXPECT_GT(ran, count * 8 / 10);
  EXPECT_GT(finite, count / 2);
  EXPECT_GT(states, count / 10);
  EXPECT_GT(label_errors, 1);
  EXPECT_GT(shape_errors, 3);
  RecordProperty("ran", ran);
  RecordProperty("finite", finite);
  RecordProperty("label_errors", label_errors);
  RecordProperty("shape_errors", shape_errors);
}

}  // namespace
}  // namespace tenon::test
