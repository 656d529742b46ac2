#include "tenon/fp_environment.h"

#include <cfenv>
#include <cstdint>

#include "tenon/log.h"

#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

namespace tenon {
namespace {

#if defined(__x86_64__)
constexpr unsigned flush_bits = 0x8040;  // flush to zero, denormals are zero
bool flushes() { return (_mm_getcsr() & flush_bits) != 0; }
void stop_flushing() { _mm_setcsr(_mm_getcsr() & ~flush_bits); }
#elif defined(__aarch64__)
constexpr std::uint64_t flush_bits = (1u << 24) | (1u << 19);  // FZ, FZ16
std::uint64_t control() {
  std::uint64_t value;
  asm volatile("mrs %0, fpcr" : "=r"(value));
  return value;
}
bool flushes() { return (control() & flush_bits) != 0; }
void stop_flushing() { asm volatile("msr fpcr, %0" : : "r"(control() & ~flush_bits)); }
#else
bool flushes() { return false; }
void stop_flushing() {}
#endif

}  // namespace

void set_fp_environment() {
  if (fp_environment_is_strict()) return;
  std::fesetround(FE_TONEAREST);
  stop_flushing();
}

void warn_of_fp_environment(const std::filesystem::path& library, std::string_view call) {
  const ReasonInfo& reason = info(Reason::FP_ENVIRONMENT);
  logging::write(logging::Level::warn, "plugin",
                 library.string() + ": " + std::string(call) +
                     " changed the floating-point environment; it was set back (" + std::string(reason.name) + ": " +
                     std::string(reason.next_step) + ")");
}

bool fp_environment_is_strict() { return !flushes() && std::fegetround() == FE_TONEAREST; }

}  // namespace tenon
