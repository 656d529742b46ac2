#include "settings.h"

#include <cstdio>
#include <cstdlib>
#include <initializer_list>
#include <utility>

namespace gpusim::driver {
namespace {

const char* variable(const char* name) {
  const char* value = std::getenv(name);
  return value != nullptr && *value != '\0' ? value : nullptr;
}

[[noreturn]] void refuse(const char* name, const char* value, const std::string& expected) {
  std::fprintf(stderr, "gpusim: %s=%s: expected %s\n", name, value, expected.c_str());
  std::exit(2);
}

template <class Number>
void read_number(const char* name, Number& number, Number unit = 1) {
  const char* value = variable(name);
  if (value == nullptr) return;
  char* end = nullptr;
  number = static_cast<Number>(std::strtoull(value, &end, 10)) * unit;
  if (*end != '\0') refuse(name, value, "a number");
}

void read_text(const char* name, std::string& text) {
  if (const char* value = variable(name)) text = value;
}

template <class Choice>
void read_choice(const char* name, Choice& choice, std::initializer_list<std::pair<const char*, Choice>> choices) {
  const char* value = variable(name);
  if (value == nullptr) return;
  std::string known;
  for (const auto& [word, meaning] : choices) {
    known += std::string(known.empty() ? "" : ", ") + word;
    if (std::string(value) != word) continue;
    choice = meaning;
    return;
  }
  refuse(name, value, "one of " + known);
}

}  // namespace

Settings from_environment(Settings s) {
  read_text("TENON_GPUSIM_KERNELS", s.kernels);
  read_text("TENON_GPUSIM_ARCHITECTURE", s.architecture);
  read_text("TENON_GPUSIM_FAIL", s.fail);
  read_number("TENON_GPUSIM_DEVICES", s.devices);
  read_number("TENON_GPUSIM_MEMORY_MIB", s.memory_bytes, std::size_t{1} << 20);
  read_number("TENON_GPUSIM_SEED", s.seed);
  read_number("TENON_GPUSIM_WARP", s.warp_width);
  read_number("TENON_GPUSIM_DRIVER_VERSION", s.version);
  read_choice("TENON_GPUSIM_LATENESS", s.lateness,
              {{"at_once", Lateness::at_once}, {"late", Lateness::late}, {"random", Lateness::random}});
  read_choice("TENON_GPUSIM_SCHEDULE", s.schedule,
              {{"ascending", Schedule::ascending}, {"descending", Schedule::descending}, {"random", Schedule::random}});
  read_choice("TENON_GPUSIM_LEAKS", s.leaks_are_errors, {{"error", true}, {"told", false}});
  return s;
}

}  // namespace gpusim::driver
