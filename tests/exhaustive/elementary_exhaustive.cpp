// All 2^32 inputs of the elementary functions of binary32 against the correctly rounded value.
//
//   elementary_exhaustive [--threads=N] [--hard=FILE] [function ...]
//
// One line per function; status 1 where any input is rounded wrongly.  FILE receives the inputs whose value is too near
// to the middle of two binary32 values for binary64 to decide: elementary_hard_cases makes a table of the hardest.
// Some minutes per function, so this is no part of the normal suite.
#include <algorithm>
#include <atomic>
#include <cstdio>
#include <cstdlib>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "exact.h"

namespace tenon::exhaustive {
namespace {

struct Options {
  int threads = 2;
  std::string hard_file;
  std::vector<std::string_view> names;
};

struct Outcome {
  std::uint64_t wrong = 0;
  std::string first_wrong;
  std::vector<std::uint32_t> hard_inputs;
};

void check_chunk(const Function& function, std::uint32_t first, std::uint32_t count, ExactValue& exact,
                 Outcome& outcome) {
  for (std::uint32_t offset = 0; offset < count; ++offset) {
    const float x = std::bit_cast<float>(first + offset);
    const double value = function.approximate(x);
    const bool hard = is_hard(function, x, value);
    if (hard) outcome.hard_inputs.push_back(first + offset);
    const float wanted = hard ? exact.nearest(function, x) : static_cast<float>(value);
    const float got = function.strict(x);
    if (same(wanted, got)) continue;
    if (outcome.wrong++ != 0) continue;
    char text[120];
    std::snprintf(text, sizeof text, "at %a (%08x) found %a, expected %a", static_cast<double>(x), first + offset,
                  static_cast<double>(got), static_cast<double>(wanted));
    outcome.first_wrong = text;
  }
}

Outcome check_all(const Function& function, int threads) {
  constexpr std::uint32_t kChunk = 1u << 16;
  std::atomic<std::uint32_t> next_chunk{0};
  std::mutex mutex;
  Outcome total;
  const auto work = [&] {
    ExactValue exact;
    Outcome mine;
    for (std::uint32_t chunk = next_chunk++; chunk < 1u << 16; chunk = next_chunk++) {
      check_chunk(function, chunk * kChunk, kChunk, exact, mine);
    }
    const std::lock_guard lock(mutex);
    total.wrong += mine.wrong;
    if (total.first_wrong.empty()) total.first_wrong = mine.first_wrong;
    total.hard_inputs.insert(total.hard_inputs.end(), mine.hard_inputs.begin(), mine.hard_inputs.end());
  };
  std::vector<std::thread> workers;
  for (int i = 0; i < threads; ++i) workers.emplace_back(work);
  for (std::thread& worker : workers) worker.join();
  std::sort(total.hard_inputs.begin(), total.hard_inputs.end());
  return total;
}

void report(const Function& function, const Outcome& outcome) {
  std::printf("%-8.*s %llu of 4294967296 inputs not correctly rounded; MPFR decided %zu\n",
              static_cast<int>(function.name.size()), function.name.data(),
              static_cast<unsigned long long>(outcome.wrong), outcome.hard_inputs.size());
  if (outcome.wrong != 0) std::printf("  %s\n", outcome.first_wrong.c_str());
  std::fflush(stdout);
}

void append_hard_inputs(const Function& function, const Outcome& outcome, const std::string& path) {
  std::FILE* file = std::fopen(path.c_str(), "a");
  if (file == nullptr) return std::perror(path.c_str());
  for (const std::uint32_t input : outcome.hard_inputs) {
    std::fprintf(file, "%.*s %08x\n", static_cast<int>(function.name.size()), function.name.data(), input);
  }
  std::fclose(file);
}

bool is_known(std::string_view name) {
  return std::any_of(kFunctions.begin(), kFunctions.end(), [&](const Function& f) { return f.name == name; });
}

// False where the arguments make no sense.
bool parse(int argc, char** argv, Options& options) {
  for (int i = 1; i < argc; ++i) {
    const std::string_view argument = argv[i];
    if (argument.starts_with("--threads=")) {
      options.threads = std::atoi(argv[i] + std::string_view("--threads=").size());
    } else if (argument.starts_with("--hard=")) {
      options.hard_file = argument.substr(std::string_view("--hard=").size());
    } else if (is_known(argument)) {
      options.names.push_back(argument);
    } else {
      std::fprintf(stderr, "[elementary_exhaustive] unknown argument: %s\n", argv[i]);
      return false;
    }
  }
  return options.threads >= 1;
}

bool is_wanted(const Options& options, std::string_view name) {
  return options.names.empty() || std::find(options.names.begin(), options.names.end(), name) != options.names.end();
}

int run(const Options& options) {
  bool all_right = true;
  for (const Function& function : kFunctions) {
    if (!is_wanted(options, function.name)) continue;
    const Outcome outcome = check_all(function, options.threads);
    report(function, outcome);
    if (!options.hard_file.empty()) append_hard_inputs(function, outcome, options.hard_file);
    all_right = all_right && outcome.wrong == 0;
  }
  return all_right ? 0 : 1;
}

}  // namespace
}  // namespace tenon::exhaustive

int main(int argc, char** argv) {
  tenon::exhaustive::Options options;
  if (!tenon::exhaustive::parse(argc, argv, options)) return 2;
  return tenon::exhaustive::run(options);
}
