// isa.h: the instruction sets that the kernels of the provider `native` are compiled for, and which of them this
// machine can run.
//
// Plain values; any thread. What the processor and the operating system say is asked again at each call of here().
#pragma once
#include <array>
#include <cstdint>
#include <string>
#include <string_view>

namespace tenon::cpu::native {

/// From the one that every machine of the architecture has, up.
enum class Isa : std::uint8_t { baseline, avx2, avx512 };

#if defined(__x86_64__)
inline constexpr std::array isas{Isa::baseline, Isa::avx2, Isa::avx512};
#else
inline constexpr std::array isas{Isa::baseline};
#endif

/// "sse2", "avx2", "avx512"; the baseline elsewhere: "neon", "portable".
std::string_view name(Isa isa);

/// What decides which sets can be used.
struct Processor {
  bool avx2, fma, avx512f, avx512dq, avx512bw, avx512vl;
  std::uint64_t saved_registers;  // XCR0: those that the operating system keeps for a thread; 0 where it keeps none

  /// This machine's.
  static Processor here();
};

/// "the processor has no avx512dq", "the operating system does not save its registers"; empty where nothing is missing.
std::string missing(Isa isa, const Processor& processor);

/// The last of isas for which nothing is missing.
Isa widest(const Processor& processor);

}  // namespace tenon::cpu::native
