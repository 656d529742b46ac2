#include "instance.h"

#include <cstdlib>

namespace tenon::cpu {
namespace {

using native::Isa;
using native::Processor;

/// Who set a bound, and to what.
struct Bound {
  std::string source;  // "cpu.isa", "TENON_CPU_ISA"; empty: nobody
  std::string word;
};

Bound bound_of(const plugin::Options& given) {
  const std::string_view word = given.text("isa", {});
  if (word.data() != nullptr) return {"cpu.isa", std::string(word)};
  const char* environment = std::getenv("TENON_CPU_ISA");
  if (environment != nullptr && *environment != '\0') return {"TENON_CPU_ISA", environment};
  return {};
}

/// "sse2 or avx2 or avx512": those that the machine can run.
std::string choices(const Processor& processor) {
  std::string list;
  for (const Isa isa : native::isas) {
    if (missing(isa, processor).empty()) list.append(list.empty() ? "" : " or ").append(name(isa));
  }
  return list;
}

Isa taken(const Bound& bound, const Processor& processor) {
  if (bound.source.empty()) return widest(processor);
  for (const Isa isa : native::isas) {
    if (name(isa) != bound.word) continue;
    const std::string lack = missing(isa, processor);
    if (lack.empty()) return isa;
    plugin::refuse("[cpu] ", bound.source, "=", bound.word, ": ", lack, ", expected ", choices(processor));
  }
  plugin::refuse("[cpu] ", bound.source, "=", bound.word, ": no such instruction set, expected ", choices(processor));
}

}  // namespace

Instance::Instance(const plugin::Options& given, const Processor& processor) {
  const Bound bound = bound_of(given);
  isa_ = taken(bound, processor);
  if (!bound.source.empty()) bound_ = bound.source + "=" + bound.word;
  list_variants(processor);
}

void Instance::list_variants(const Processor& processor) {
  for (const Isa isa : native::isas) {
    std::string reason = missing(isa, processor);
    if (reason.empty() && isa > isa_) reason = "above " + bound_;
    if (reason.empty() && isa < isa_) reason = std::string(name(isa_)) + " is wider";
    words_.push_back(std::move(reason));
  }
  for (std::size_t i = 0; i < native::isas.size(); ++i) {
    variants_.push_back({name(native::isas[i]).data(), words_[i].c_str(), native::isas[i] == isa_ ? 1u : 0u, 0});
  }
  table_ = {static_cast<std::uint32_t>(variants_.size()), 0, variants_.data()};
}

const void* Instance::extension(std::string_view name, std::uint32_t version) const {
  return name == TENON_EXTENSION_VARIANTS && version == TENON_EXTENSION_VARIANTS_VERSION ? &table_ : nullptr;
}

}  // namespace tenon::cpu
