// scalar_type.h: --dtype: what numbers are, before a device says how it stores them. Plain values.
#pragma once
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

#include "tenon/result.h"

namespace tenon {

/// How binary32 is computed: strictly (3-semantics, section 4), by any kernel, or ideally, for proofs.
enum class Float32Mode : std::uint8_t { ieee754exec, fast, fp32 };

struct ScalarType {
  enum class Kind : std::uint8_t { native, float32, complex32, real };
  Kind kind = Kind::float32;
  Float32Mode mode = Float32Mode::ieee754exec;  // of float32 and complex32

  /// Only capsules that declare strict numerics are admitted.
  constexpr bool strict() const { return kind == Kind::float32 && mode == Float32Mode::ieee754exec; }
  /// Real numbers and idealised arithmetic are for reasoning; no device computes with them.
  constexpr bool executable() const {
    return kind != Kind::real && !((kind == Kind::float32 || kind == Kind::complex32) && mode == Float32Mode::fp32);
  }
  friend constexpr bool operator==(const ScalarType&, const ScalarType&) = default;
};

/// The canonical spelling: "float", "float32", "float32:fast", "complex:fp32", "real".
TENON_API std::string to_string(const ScalarType& type);

/// Half a sentence on what it means: "binary32, strict: the same bits on every device".
TENON_API std::string_view meaning(const ScalarType& type);

/// Every spelling that --dtype and --float32-mode take.
TENON_API std::span<const std::string> dtype_spellings();
TENON_API std::span<const std::string> float32_mode_spellings();

/// The canonical spelling of each mode: "ieee754exec", "fast", "fp32".
TENON_API std::span<const std::string> float32_mode_names();

/// USAGE error if the word is none of the spellings.
TENON_API result<ScalarType> parse_dtype(std::string_view word);
TENON_API result<Float32Mode> parse_float32_mode(std::string_view word);

}  // namespace tenon
