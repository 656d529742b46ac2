// Which instruction set is taken, and what is said of the others: on processors and operating systems that are made up.
#include "../../../plugins/cpu/instance.h"
#include "harness.h"

namespace tenon::testing {
namespace {

using cpu::Instance;
using cpu::native::Isa;
using cpu::native::Processor;

constexpr std::uint64_t saves_all = 0xe7, saves_avx = 0x07, saves_sse = 0x03;

Processor with_everything(std::uint64_t saved = saves_all) { return {true, true, true, true, true, true, saved}; }
Processor without_avx() { return {false, false, false, false, false, false, saves_sse}; }

/// TENON_CPU_ISA, for as long as it lives.
class Environment {
 public:
  explicit Environment(const char* value) { ::setenv("TENON_CPU_ISA", value, 1); }
  ~Environment() { ::unsetenv("TENON_CPU_ISA"); }
};

class InstructionSet : public PluginTest {
 protected:
  static void SetUpTestSuite() { ::unsetenv("TENON_CPU_ISA"); }

  static std::vector<tenon_attr> bound(const char* word) {
    tenon_attr option{"isa", {TENON_VALUE_TEXT, 1, {}}};
    option.value.as.s = word;
    return {option};
  }
  /// As tenon/plugin/table.h makes it.
  static Instance made(const std::vector<tenon_attr>& options, const Processor& processor) {
    plugin::check_options("cpu", options, Instance::options);
    return Instance(plugin::Options("cpu", options), processor);
  }
  static Isa taken(const Processor& processor, const std::vector<tenon_attr>& options = {}) {
    return made(options, processor).isa();
  }
  static std::string refusal(const Processor& processor, const std::vector<tenon_attr>& options = {}) {
    try {
      made(options, processor);
      return {};
    } catch (const plugin::KernelError& error) {
      return error.what();
    }
  }
  static std::vector<std::string> listed(const Instance& instance) {
    std::vector<std::string> out;
    const auto* table = static_cast<const tenon_variants*>(instance.extension("tenon.variants", 1));
    for (std::uint32_t i = 0; i < table->count; ++i)
      out.push_back(std::string(table->of[i].name) + (table->of[i].taken != 0 ? "!" : ": ") + table->of[i].reason);
    return out;
  }
};

using Lines = std::vector<std::string>;

#if defined(__x86_64__)

TEST_F(InstructionSet, IsTheWidestThatProcessorAndSystemHave) {
  EXPECT_EQ(taken(with_everything()), Isa::avx512);
  EXPECT_EQ(taken(with_everything(saves_avx)), Isa::avx2);
  EXPECT_EQ(taken(with_everything(saves_sse)), Isa::baseline);
  EXPECT_EQ(taken(with_everything(0)), Isa::baseline);
  EXPECT_EQ(taken(without_avx()), Isa::baseline);
}

TEST_F(InstructionSet, NeedsEachOfItsFeatures) {
  const auto lacking = [](bool Processor::*feature) {
    Processor processor = with_everything();
    processor.*feature = false;
    return processor;
  };
  EXPECT_EQ(missing(Isa::avx512, lacking(&Processor::avx512vl)), "the processor has no avx512vl");
  EXPECT_EQ(missing(Isa::avx512, lacking(&Processor::fma)), "the processor has no fma");
  EXPECT_EQ(missing(Isa::avx2, lacking(&Processor::fma)), "the processor has no fma");
  EXPECT_EQ(missing(Isa::avx2, lacking(&Processor::avx512f)), "");
  EXPECT_EQ(missing(Isa::baseline, without_avx()), "");
}

TEST_F(InstructionSet, IsListedWithWhyItWasPassedOver) {
  EXPECT_EQ(listed(made({}, with_everything())), (Lines{"sse2: avx512 is wider", "avx2: avx512 is wider", "avx512!"}));
  EXPECT_EQ(listed(made({}, with_everything(saves_avx))),
            (Lines{"sse2: avx2 is wider", "avx2!", "avx512: the operating system does not save its registers"}));
  EXPECT_EQ(listed(made({}, without_avx())),
            (Lines{"sse2!", "avx2: the processor has no avx2", "avx512: the processor has no avx512f"}));
  EXPECT_EQ(listed(made(bound("sse2"), with_everything())),
            (Lines{"sse2!", "avx2: above cpu.isa=sse2", "avx512: above cpu.isa=sse2"}));
}

TEST_F(InstructionSet, IsNoWiderThanTheOptionAllows) {
  EXPECT_EQ(taken(with_everything(), bound("sse2")), Isa::baseline);
  EXPECT_EQ(taken(with_everything(), bound("avx2")), Isa::avx2);
  EXPECT_EQ(taken(with_everything(), bound("avx512")), Isa::avx512);
}

TEST_F(InstructionSet, IsBoundedByTheEnvironmentUnlessAnOptionIs) {
  const Environment environment("avx2");
  EXPECT_EQ(taken(with_everything()), Isa::avx2);
  EXPECT_EQ(taken(with_everything(), bound("avx512")), Isa::avx512);
  EXPECT_EQ(listed(made({}, with_everything())).at(2), "avx512: above TENON_CPU_ISA=avx2");
  EXPECT_EQ(refusal(without_avx()), "[cpu] TENON_CPU_ISA=avx2: the processor has no avx2, expected sse2");
}

TEST_F(InstructionSet, ThatTheMachineLacksIsRefusedWithWhatIsMissing) {
  EXPECT_EQ(refusal(without_avx(), bound("avx512")),
            "[cpu] cpu.isa=avx512: the processor has no avx512f, expected sse2");
  EXPECT_EQ(refusal(with_everything(saves_avx), bound("avx512")),
            "[cpu] cpu.isa=avx512: the operating system does not save its registers, expected sse2 or avx2");
}

TEST_F(InstructionSet, OfAnotherNameIsRefusedWithTheChoices) {
  EXPECT_EQ(refusal(with_everything(), bound("avx")),
            "[cpu] cpu.isa=avx: no such instruction set, expected sse2 or avx2 or avx512");
}

#endif

TEST_F(InstructionSet, IsTheOnlyOption) {
  tenon_attr other = bound("sse2").front();
  other.name = "threads";
  EXPECT_EQ(refusal(with_everything(), {other}), "[cpu] unknown option threads: known are isa");
}

TEST_F(InstructionSet, IsToldThroughOneExtensionInOneVersion) {
  const Instance instance = made({}, without_avx());
  EXPECT_EQ(instance.extension("tenon.variants", 2), nullptr);
  EXPECT_EQ(instance.extension("tenon.other", 1), nullptr);
}

}  // namespace
}  // namespace tenon::testing
