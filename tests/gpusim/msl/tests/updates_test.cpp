// Updates against the host's steps of each optimizer, in place.
#include <array>

#include "host.h"

namespace gpusim::msl {
namespace {

using namespace tenon_metal;

constexpr Extent few{2, 1, 1};
constexpr unsigned threads = 8;

struct Step {
  float parameter, state, more;
};
using Rule = Step (*)(Step, float g, const float* n);
float decayed(float g, float by, float parameter) { return by == 0 ? g : g + by * parameter; }
Step moments(Step s, float g, const float* n) {
  s.state = s.state + n[0] * (g - s.state);
  s.more = n[1] * s.more + (n[2] * g) * g;
  s.parameter = s.parameter - n[4] * s.state / (std::sqrt(s.more) / n[5] + n[3]);
  return s;
}
struct Optimizer {
  const char* name;
  unsigned states;
  std::array<float, 7> numbers;
  Rule rule;
};
const Optimizer optimizers[] = {
    {"sgd",
     0,
     {0.1f},
     [](Step s, float g, const float* n) {
       return Step{s.parameter - n[0] * g, 0, 0};
     }},
    {"momentum",
     1,
     {0.1f, 0.9f},
     [](Step s, float g, const float* n) {
       s.state = n[1] * s.state + g;
       s.parameter = s.parameter - n[0] * s.state;
       return s;
     }},
    {"adam",
     2,
     {0.1f, 0.999f, 0.001f, 1e-8f, 0.01f, 0.03f, 0.02f},
     [](Step s, float g, const float* n) { return moments(s, decayed(g, n[6], s.parameter), n); }},
    {"adamw",
     2,
     {0.1f, 0.999f, 0.001f, 1e-8f, 0.01f, 0.03f, 0.99f},
     [](Step s, float g, const float* n) {
       s.parameter = s.parameter * n[6];
       return moments(s, g, n);
     }},
    {"adagrad",
     1,
     {0.1f, 1e-10f, 0},
     [](Step s, float g, const float* n) {
       g = decayed(g, n[2], s.parameter);
       s.state = s.state + g * g;
       s.parameter = s.parameter - n[0] * g / (std::sqrt(s.state) + n[1]);
       return s;
     }},
    {"rmsprop",
     1,
     {0.1f, 0.99f, 0.01f, 1e-8f, 0.3f},
     [](Step s, float g, const float* n) {
       g = decayed(g, n[4], s.parameter);
       s.state = n[1] * s.state + (n[2] * g) * g;
       s.parameter = s.parameter - n[0] * g / (std::sqrt(s.state) + n[3]);
       return s;
     }},
    {"adadelta", 2, {0.5f, 0.9f, 0.1f, 1e-6f, 0}, [](Step s, float g, const float* n) {
       g = decayed(g, n[4], s.parameter);
       s.state = n[1] * s.state + (n[2] * g) * g;
       const float delta = std::sqrt(s.more + n[3]) / std::sqrt(s.state + n[3]) * g;
       s.more = n[1] * s.more + (n[2] * delta) * delta;
       s.parameter = s.parameter - n[0] * delta;
       return s;
     }}};

TEST(MetalUpdates, AreTheHostsInPlaceToo) {
  for (const unsigned count : {1u, 6u, 200u}) {
    for (const Optimizer& optimizer : optimizers) {
      std::vector<Floats> operands = {drawn(count, Range::tiny, 81), drawn(count, Range::tiny, 82)};
      for (unsigned i = 0; i < optimizer.states; ++i) {
        operands.push_back(drawn(count, Range::tiny, 83 + i));
        for (float& state : operands.back()) state = std::fabs(state);
      }
      std::vector<Floats> expected(1 + optimizer.states, Floats(count));
      for (unsigned i = 0; i < count; ++i) {
        const Step before{operands[0][i], optimizer.states > 0 ? operands[2][i] : 0,
                          optimizer.states > 1 ? operands[3][i] : 0};
        const Step after = optimizer.rule(before, operands[1][i], optimizer.numbers.data());
        const float results[] = {after.parameter, after.state, after.more};
        for (unsigned r = 0; r < expected.size(); ++r) expected[r][i] = results[r];
      }
      Update constants{count, {}};
      std::copy(optimizer.numbers.begin(), optimizer.numbers.end(), constants.numbers);
      Runner runner(checked(), {8});
      std::vector<void*> arrays;
      for (const Floats& operand : operands) arrays.push_back(runner.of(operand));
      std::vector<void*> results = arrays;
      results.erase(results.begin() + 1);
      arrays.insert(arrays.end(), results.begin(), results.end());
      runner.run(std::string("updates_") + optimizer.name, few, threads, arrays, constants);
      EXPECT_EQ(runner.faults(), std::vector<std::string>());
      for (unsigned r = 0; r < results.size(); ++r)
        expect_bits(runner.read(static_cast<float*>(results[r]), count), expected[r], optimizer.name);
    }
  }
}

}  // namespace
}  // namespace gpusim::msl
