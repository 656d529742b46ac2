// life_cycle.cpp: a user's program that opens sessions of a program file on the vendor's device: 6-acceptance K7.
//
//   life_cycle cycles FILE      opens, runs and closes 300 sessions; a line for each says what the process holds then
//   life_cycle threads FILE     eight threads with a session each; a line for each says how many of its runs were right
//   life_cycle leave HOW FILE   ends with an open session: on the heap, in a static, on the stack
//
// Everything goes through the public interface. Status 1 and the error on standard error if anything fails.
#include <unistd.h>

#include <barrier>
#include <bit>
#include <fstream>
#include <iostream>
#include <thread>

#include "tenon/program_text.h"
#include "tenon/tenon.h"

namespace {

using namespace tenon;

constexpr int cycles = 300, threads = 8, runs = 100;

/// A session and what it stands on; it goes first.
struct Open {
  DeviceRuntime runtime;
  Session session;
};

result<Open> open(const Program& program, std::string_view backend) {
  const std::vector<std::string> flags{"--device", "vendor", "--backend", std::string(backend)};
  TENON_TRY(const auto parsed, ExecConfig::parse_and_strip(flags));
  TENON_TRY(const Options options, parsed.first.to_options());
  TENON_TRY(DeviceRuntime runtime, open_runtime(options));
  const SessionOptions evaluation = runtime.session_options(GradientMode::evaluation);
  TENON_TRY(Session session, Session::create(runtime.registry, program, evaluation));
  return Open{std::move(runtime), std::move(session)};
}

/// Rows that no other `number` has, with fractions that do not end in binary.
result<std::vector<double>> run(Session& session, int number) {
  std::vector<double> x;
  for (int i = 0; i < 12; ++i) x.push_back((number + 1) * (i - 4) / 7.0);
  return session.evaluate({.rows = 4, .reals = {x}, .naturals = {}, .shapes = {{4, 3}}});
}

bool same_bits(const std::vector<double>& a, const std::vector<double>& b) {
  const auto bits = [](double number) { return std::bit_cast<std::uint64_t>(number); };
  return std::ranges::equal(a, b, {}, bits, bits);
}

result<std::vector<double>> run_once(const Program& program, int number) {
  TENON_TRY(Open one, open(program, "eager"));
  return run(one.session, number);
}

// What the process holds

std::uint64_t resident_kib() {
  std::uint64_t size = 0, resident = 0;
  std::ifstream("/proc/self/statm") >> size >> resident;
  return resident * static_cast<std::uint64_t>(::sysconf(_SC_PAGESIZE)) / 1024;
}

int threads_now() {
  std::ifstream status("/proc/self/status");
  for (std::string line; std::getline(status, line);)
    if (line.starts_with("Threads:")) return std::stoi(line.substr(8));
  return 0;
}

/// The kernel counts a thread for a moment longer than it takes to join it: looks again while there are more than
/// `expected`.
int threads_at_rest(int expected) {
  int least = threads_now();
  for (int look = 0; look < 1000 && least > expected; ++look) {
    std::this_thread::yield();
    least = std::min(least, threads_now());
  }
  return least;
}

/// A library that is mapped twice has its first page mapped twice.
int mappings_of(std::string_view library) {
  std::ifstream maps("/proc/self/maps");
  int count = 0;
  for (std::string line; std::getline(maps, line);)
    count += line.ends_with(library) && line.find(" 00000000 ") != std::string::npos ? 1 : 0;
  return count;
}

// What is asked for

result<void> open_and_close(const Program& program) {
  std::vector<double> first;
  int rest = 1;  // how many threads stay
  for (int cycle = 1; cycle <= cycles; ++cycle) {
    TENON_TRY(const std::vector<double> result, run_once(program, 0));
    const int threads_left = threads_at_rest(rest);
    if (cycle == 1) first = result, rest = threads_left;
    std::cout << "cycle " << cycle << ": " << resident_kib() << " KiB, " << threads_left << " threads, "
              << mappings_of("/tenon_vendor.so") << " mappings, " << (same_bits(result, first) ? "right" : "wrong")
              << "\n";
  }
  return {};
}

using Results = std::vector<std::vector<double>>;

result<Results> run_in_thread(const Program& program, int number, std::barrier<>& start) {
  start.arrive_and_wait();
  TENON_TRY(Open one, open(program, number % 2 == 0 ? "eager" : "compiled"));
  Results all(runs);
  for (std::vector<double>& one_run : all) {
    TENON_TRY(one_run, run(one.session, number));
  }
  return all;
}

/// The threads come first: they load the plugin, all at once.
result<void> run_in_threads(const Program& program) {
  std::vector<result<Results>> found(threads);
  std::barrier start(threads);
  {
    std::vector<std::jthread> all;
    for (std::size_t n = 0; n < threads; ++n)
      all.emplace_back([&, n] { found[n] = run_in_thread(program, static_cast<int>(n), start); });
  }
  for (int number = 0; number < threads; ++number) {
    TENON_TRY(const Results results, found[static_cast<std::size_t>(number)]);
    TENON_TRY(const std::vector<double> expected, run_once(program, number));
    const auto is_right = [&](const std::vector<double>& one_run) { return same_bits(one_run, expected); };
    std::cout << std::ranges::count_if(results, is_right) << " of " << runs << " runs\n";
  }
  return {};
}

// Constructed before anything of the library's that a first use makes, and so destroyed after it.
std::optional<Open> in_a_static;
Open* on_the_heap = nullptr;

result<void> leave(std::string_view how, const Program& program) {
  TENON_TRY(Open one, open(program, "eager"));
  TENON_CHECK(run(one.session, 0));
  std::cout << "left open: " << how << "\n";
  if (how == "stack") std::exit(0);
  if (how == "static") in_a_static.emplace(std::move(one));
  if (how == "heap") on_the_heap = new Open(std::move(one));
  return {};
}

result<void> run_command(const Args& args) {
  TENON_TRY(const Program program, read_program(args.back()));
  if (args[0] == "cycles") return open_and_close(program);
  if (args[0] == "threads") return run_in_threads(program);
  return leave(args[1], program);
}

}  // namespace

int main(int argc, char** argv) { return exit_status(run_command({argv + 1, argv + argc})); }
