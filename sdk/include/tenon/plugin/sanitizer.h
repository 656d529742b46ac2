// sanitizer.h: which run-time checkers this file was compiled with; the two sides of a query compare theirs. A
// constant.
#pragma once
#include <cstdint>

#include "tenon/plugin.h"

namespace tenon::plugin {

#if defined(__has_feature)
#define TENON_HAS_FEATURE(feature) __has_feature(feature)
#else
#define TENON_HAS_FEATURE(feature) 0
#endif

#if defined(__SANITIZE_ADDRESS__) || TENON_HAS_FEATURE(address_sanitizer)
inline constexpr std::uint32_t address_sanitizer = TENON_SANITIZER_ADDRESS;
#else
inline constexpr std::uint32_t address_sanitizer = 0;
#endif
#if defined(__SANITIZE_THREAD__) || TENON_HAS_FEATURE(thread_sanitizer)
inline constexpr std::uint32_t thread_sanitizer = TENON_SANITIZER_THREAD;
#else
inline constexpr std::uint32_t thread_sanitizer = 0;
#endif
#if TENON_HAS_FEATURE(memory_sanitizer)
inline constexpr std::uint32_t memory_sanitizer = TENON_SANITIZER_MEMORY;
#else
inline constexpr std::uint32_t memory_sanitizer = 0;
#endif
#undef TENON_HAS_FEATURE

/// TENON_SANITIZER_ bits.
inline constexpr std::uint32_t sanitizers = address_sanitizer | thread_sanitizer | memory_sanitizer;

}  // namespace tenon::plugin
