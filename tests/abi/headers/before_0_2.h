/* before_0_2.h: what a source that is written for today's header misses in that of ABI 0.1. Included before everything. */
#include "tenon/plugin.h"

#define TENON_ABI_OLDEST TENON_ABI
#ifdef __SANITIZE_ADDRESS__
#define TENON_SANITIZERS TENON_SANITIZER_ADDRESS
#elif defined(__has_feature)
#if __has_feature(address_sanitizer)
#define TENON_SANITIZERS TENON_SANITIZER_ADDRESS
#elif __has_feature(thread_sanitizer)
#define TENON_SANITIZERS TENON_SANITIZER_THREAD
#endif
#elif defined(__SANITIZE_THREAD__)
#define TENON_SANITIZERS TENON_SANITIZER_THREAD
#endif
#ifndef TENON_SANITIZERS
#define TENON_SANITIZERS 0u
#endif

static inline uint64_t tenon_abi_fingerprint(uint32_t version) {
  return version == TENON_ABI ? TENON_ABI_FINGERPRINT : 0;
}
