// Turns on flush-to-zero when it is loaded, as a library linked with -ffast-math does.
#if defined(__x86_64__)
#include <xmmintrin.h>
#endif

#include "faulty.h"

namespace {
struct FlushToZero {
#if defined(__x86_64__)
  FlushToZero() { _mm_setcsr(_mm_getcsr() | 0x8040); }
#endif
} const flush_to_zero;
}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) { return faulty::answer(query, reply); }
