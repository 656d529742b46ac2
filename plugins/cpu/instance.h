// instance.h: what initialize() makes of the plugin's options: the instruction set of the kernels of `native`, and the
// list of those there are.
//
// Owned by the host from initialize() to shutdown(). Immutable: any thread.
#pragma once
#include <string>
#include <vector>

#include "native/isa.h"
#include "tenon/extensions.h"
#include "tenon/plugin.hpp"

namespace tenon::cpu {

class Instance {
 public:
  static constexpr std::string_view options[] = {"isa"};

  /// `cpu.isa` names the widest instruction set that may be taken; where it is not given, TENON_CPU_ISA does. Throws
  /// KernelError for another word, and for a set that the machine lacks.
  Instance(const plugin::Options& given, const native::Processor& processor);
  Instance(const Instance&) = delete;
  Instance& operator=(const Instance&) = delete;

  native::Isa isa() const { return isa_; }
  const tenon_variants& variants() const { return table_; }
  const void* extension(std::string_view name, std::uint32_t version) const;

 private:
  void list_variants(const native::Processor& processor);

  native::Isa isa_;
  std::string bound_;  // "cpu.isa=avx2"; empty without one
  std::vector<std::string> words_;
  std::vector<tenon_variant> variants_;
  tenon_variants table_{};
};

}  // namespace tenon::cpu
