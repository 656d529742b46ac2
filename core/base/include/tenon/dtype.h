// dtype.h: how one element of a tensor is stored.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string_view>

namespace tenon {

/// Storage types that the core itself handles. Natural numbers (labels, indices) are always u32.
enum class DType : std::uint8_t { f32, f64, u32 };

constexpr std::size_t size_bytes(DType dtype) { return dtype == DType::f64 ? 8 : 4; }

constexpr std::string_view name(DType dtype) {
  switch (dtype) {
    case DType::f32:
      return "f32";
    case DType::f64:
      return "f64";
    case DType::u32:
      return "u32";
  }
  return "?";
}

constexpr bool is_natural(DType dtype) { return dtype == DType::u32; }

}  // namespace tenon
