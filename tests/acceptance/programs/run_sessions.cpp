// run_sessions.cpp: opens a session on each device in turn, runs a program of one input (2, 3) on all of them, and
// tells of each its device, what that says of itself now, and the result.
//
//   run_sessions PROGRAM DEVICE...
#include <deque>
#include <iostream>
#include <span>

#include "tenon/program_text.h"
#include "tenon/runtime.h"
#include "tenon/with_runtime.h"

namespace {

using namespace tenon;

struct Opened {
  DeviceRuntime runtime;
  Session session;
};

result<Opened> open(const std::string& device, const Program& program) {
  Options options;
  options.device = device;
  options.show_backend = ReportForm::text;
  TENON_TRY(DeviceRuntime runtime, open_runtime(options));
  TENON_TRY(Session session,
            Session::create(runtime.registry, program, runtime.session_options(GradientMode::evaluation)));
  return Opened{std::move(runtime), std::move(session)};
}

result<void> tell(Session& session) {
  static const std::vector<double> x{1, 2, 3, -1, 0, 1};
  TENON_TRY(const std::vector<double> values,
            session.evaluate({.rows = 2, .reals = {x}, .naturals = {}, .shapes = {Shape{2, 3}}}));
  TENON_TRY(const std::vector<DeviceFacts> facts, enumerate_devices(session.device().plugin()));
  std::cout << session.device().name() << " (" << facts.front().name << "):";
  for (const double value : values) std::cout << " " << value;
  std::cout << "\n";
  return {};
}

result<void> run(std::span<char*> words) {
  TENON_TRY(const Program program, read_program(words[0]));
  std::deque<Opened> all;
  for (const char* device : words.subspan(1)) {
    TENON_TRY(Opened opened, open(device, program));
    all.push_back(std::move(opened));
  }
  for (Opened& opened : all) TENON_CHECK(tell(opened.session));
  return {};
}

}  // namespace

int main(int argc, char** argv) { return exit_status(run(std::span(argv, static_cast<std::size_t>(argc)).subspan(1))); }
