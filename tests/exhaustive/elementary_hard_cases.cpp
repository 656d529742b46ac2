// Makes tests/unit/sdk/elementary_hard_cases.txt: per function the inputs whose values lie nearest to the middle of two
// binary32 values, and inputs at every edge, each with the correctly rounded result by MPFR.
//
//   elementary_exhaustive --hard=FILE     (finds the candidates, once)
//   elementary_hard_cases FILE > tests/unit/sdk/elementary_hard_cases.txt
#include <algorithm>
#include <cstdio>
#include <fstream>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "exact.h"

namespace tenon::exhaustive {
namespace {

constexpr std::size_t kHardest = 200;

std::vector<std::uint32_t> read_candidates(const char* path, std::string_view function) {
  std::vector<std::uint32_t> inputs;
  std::ifstream file(path);
  std::string name;
  std::uint32_t input = 0;
  while (file >> name >> std::hex >> input) {
    if (name == function) inputs.push_back(input);
  }
  return inputs;
}

// The distance of function(x) from the middle of two binary32 values, in units of the last place of binary32.
double distance_to_middle(const Function& function, float x, ExactValue& exact) {
  const float y = exact.nearest(function, x);
  double nearest = std::numeric_limits<double>::infinity();
  for (const float neighbour : {std::nextafter(y, INFINITY), std::nextafter(y, -INFINITY)}) {
    const double gap = std::fabs(static_cast<double>(neighbour) - static_cast<double>(y));
    const double middle = (static_cast<double>(neighbour) + static_cast<double>(y)) / 2;
    nearest = std::min(nearest, exact.distance_to(middle) / gap);
  }
  return nearest;
}

void add_hardest(const Function& function, std::vector<std::uint32_t> candidates, std::set<std::uint32_t>& inputs) {
  ExactValue exact;
  std::vector<std::pair<double, std::uint32_t>> ranked;
  for (const std::uint32_t input : candidates) {
    ranked.emplace_back(distance_to_middle(function, std::bit_cast<float>(input), exact), input);
  }
  std::sort(ranked.begin(), ranked.end());
  ranked.resize(std::min(ranked.size(), kHardest));
  for (const auto& [distance, input] : ranked) inputs.insert(input);
}

// Both signs of each value and its two neighbours.
void add_edges(std::set<std::uint32_t>& inputs) {
  std::vector<float> edges = {0,
                              1,
                              INFINITY,
                              NAN,
                              std::numeric_limits<float>::min(),
                              std::numeric_limits<float>::max(),
                              std::numeric_limits<float>::denorm_min()};
  for (int exponent = -144; exponent <= 126; exponent += 6) edges.push_back(std::ldexp(1.0f, exponent));
  // Where results overflow, underflow or saturate, and where a range of the implementation ends.
  for (const float end :
       {88.72284f,   87.33655f,  103.27893f,  103.97208f,  104.0f,      9.010914f,  17.32868f,  16.635532f,
        13.0f,       14.17f,     15.0f,       10.0f,       104.5f,      105.0f,     0x1p28f,    0x1p24f,
        0.70710677f, 1.4142135f, 0.88137358f, 0.34657359f, 0.78539819f, 1.5707964f, 3.1415927f, 6.2831855f}) {
    edges.push_back(end);
  }
  for (const float edge : edges) {
    const auto pattern = std::bit_cast<std::uint32_t>(edge);
    for (const std::uint32_t sign : {0u, 0x80000000u}) {
      for (const std::uint32_t near : {pattern - 1, pattern, pattern + 1}) inputs.insert((near & 0x7fffffffu) | sign);
    }
  }
}

void print(const Function& function, const std::set<std::uint32_t>& inputs) {
  ExactValue exact;
  std::printf("%.*s\n", static_cast<int>(function.name.size()), function.name.data());
  for (const std::uint32_t input : inputs) {
    const float result = nearest(function, std::bit_cast<float>(input), exact);
    std::printf("%08x %08x\n", input, result != result ? 0x7fc00000u : std::bit_cast<std::uint32_t>(result));
  }
}

}  // namespace
}  // namespace tenon::exhaustive

int main(int argc, char** argv) {
  using namespace tenon::exhaustive;
  if (argc != 2) {
    std::fputs("usage: elementary_hard_cases FILE\n", stderr);
    return 2;
  }
  std::puts(
      "# Inputs and correctly rounded results, binary32 bit patterns; by tests/exhaustive/elementary_hard_cases.cpp");
  for (const Function& function : kFunctions) {
    std::set<std::uint32_t> inputs;
    add_hardest(function, read_candidates(argv[1], function.name), inputs);
    add_edges(inputs);
    print(function, inputs);
  }
}
