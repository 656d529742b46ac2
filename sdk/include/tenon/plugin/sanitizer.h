/* sanitizer.h: which run-time checkers this file was compiled with; the two sides of a query compare theirs. C11 and
 * C++20. A constant. */
#ifndef TENON_PLUGIN_SANITIZER_H
#define TENON_PLUGIN_SANITIZER_H

#include "tenon/plugin.h"

#if defined(__has_feature)
#define TENON_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TENON_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || TENON_HAS_FEATURE(address_sanitizer)
#define TENON_WITH_ADDRESS_SANITIZER TENON_SANITIZER_ADDRESS
#else
#define TENON_WITH_ADDRESS_SANITIZER 0u
#endif
#if defined(__SANITIZE_THREAD__) || TENON_HAS_FEATURE(thread_sanitizer)
#define TENON_WITH_THREAD_SANITIZER TENON_SANITIZER_THREAD
#else
#define TENON_WITH_THREAD_SANITIZER 0u
#endif
#if TENON_HAS_FEATURE(memory_sanitizer)
#define TENON_WITH_MEMORY_SANITIZER TENON_SANITIZER_MEMORY
#else
#define TENON_WITH_MEMORY_SANITIZER 0u
#endif

/* For tenon_reply.sanitizer: TENON_SANITIZER_ bits. */
#define TENON_SANITIZERS (TENON_WITH_ADDRESS_SANITIZER | TENON_WITH_THREAD_SANITIZER | TENON_WITH_MEMORY_SANITIZER)

#ifdef __cplusplus
namespace tenon::plugin {
inline constexpr uint32_t sanitizers = TENON_SANITIZERS;
}
#endif

#endif /* TENON_PLUGIN_SANITIZER_H */
