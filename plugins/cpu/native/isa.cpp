#include "isa.h"

#if defined(__x86_64__)
#include <cpuid.h>
#endif

namespace tenon::cpu::native {
namespace {

struct Feature {
  Isa isa;  // the first that needs it
  bool Processor::*present;
  const char* name;
};
/// What makes a set what it is comes before what it takes from those below.
constexpr std::array features{
    Feature{Isa::avx512, &Processor::avx512f, "avx512f"},   Feature{Isa::avx512, &Processor::avx512dq, "avx512dq"},
    Feature{Isa::avx512, &Processor::avx512bw, "avx512bw"}, Feature{Isa::avx512, &Processor::avx512vl, "avx512vl"},
    Feature{Isa::avx2, &Processor::avx2, "avx2"},           Feature{Isa::avx2, &Processor::fma, "fma"},
};

/// The bits of XCR0: registers of 128 bits and their upper halves; masks, upper halves and further registers of 512.
constexpr std::uint64_t registers_of(Isa isa) {
  switch (isa) {
    case Isa::baseline:
      return 0;
    case Isa::avx2:
      return 0x06;
    case Isa::avx512:
      return 0xe6;
  }
  return 0;
}

#if defined(__x86_64__)

struct Leaf {
  std::uint32_t a = 0, b = 0, c = 0, d = 0;
};
Leaf leaf(std::uint32_t number) {
  Leaf l;
  __get_cpuid_count(number, 0, &l.a, &l.b, &l.c, &l.d);  // leaves the zeros where there is no such leaf
  return l;
}
constexpr bool bit(std::uint32_t word, int number) { return ((word >> number) & 1) != 0; }

/// The instruction exists only where the operating system has turned it on.
std::uint64_t read_xcr0() {
  std::uint32_t low = 0, high = 0;
  __asm__("xgetbv" : "=a"(low), "=d"(high) : "c"(0));
  return (std::uint64_t{high} << 32) | low;
}

#endif

}  // namespace

std::string_view name(Isa isa) {
#if defined(__x86_64__)
  constexpr std::string_view baseline = "sse2";
#elif defined(__aarch64__)
  constexpr std::string_view baseline = "neon";
#else
  constexpr std::string_view baseline = "portable";
#endif
  switch (isa) {
    case Isa::baseline:
      return baseline;
    case Isa::avx2:
      return "avx2";
    case Isa::avx512:
      return "avx512";
  }
  return "?";
}

Processor Processor::here() {
#if defined(__x86_64__)
  constexpr int osxsave = 27;
  const Leaf basic = leaf(1), extended = leaf(7);
  return {.avx2 = bit(extended.b, 5),
          .fma = bit(basic.c, 12),
          .avx512f = bit(extended.b, 16),
          .avx512dq = bit(extended.b, 17),
          .avx512bw = bit(extended.b, 30),
          .avx512vl = bit(extended.b, 31),
          .saved_registers = bit(basic.c, osxsave) ? read_xcr0() : 0};
#else
  return {};
#endif
}

std::string missing(Isa isa, const Processor& processor) {
  for (const Feature& feature : features) {
    if (feature.isa <= isa && !(processor.*feature.present)) return std::string("the processor has no ") + feature.name;
  }
  const std::uint64_t needed = registers_of(isa);
  if ((processor.saved_registers & needed) != needed) return "the operating system does not save its registers";
  return {};
}

Isa widest(const Processor& processor) {
  Isa found = Isa::baseline;
  for (const Isa isa : isas) {
    if (missing(isa, processor).empty()) found = isa;
  }
  return found;
}

}  // namespace tenon::cpu::native
