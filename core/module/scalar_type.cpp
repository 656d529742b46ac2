#include "tenon/scalar_type.h"

#include <algorithm>
#include <array>
#include <optional>
#include <vector>

#include "tenon/flags.h"
#include "tenon/text.h"

namespace tenon {
namespace {

using TypeKind = ScalarType::Kind;

struct KindSpelling {
  std::string_view word;
  TypeKind kind;
  bool takes_mode;  // as in f32:fast
};
constexpr auto kinds = std::to_array<KindSpelling>({{"float", TypeKind::native, false},
                                                    {"float32", TypeKind::float32, true},
                                                    {"f32", TypeKind::float32, true},
                                                    {"complex", TypeKind::complex32, true},
                                                    {"complex32", TypeKind::complex32, false},
                                                    {"cfloat32", TypeKind::complex32, false},
                                                    {"c32", TypeKind::complex32, true},
                                                    {"real", TypeKind::real, false},
                                                    {"reals", TypeKind::real, false},
                                                    {"ℝ", TypeKind::real, false}});

struct ModeSpelling {
  std::string_view word;
  Float32Mode mode;
};
constexpr auto modes = std::to_array<ModeSpelling>({{"ieee754exec", Float32Mode::ieee754exec},
                                                    {"ieee754", Float32Mode::ieee754exec},
                                                    {"ieee32", Float32Mode::ieee754exec},
                                                    {"ieee32exec", Float32Mode::ieee754exec},
                                                    {"fast", Float32Mode::fast},
                                                    {"fp32", Float32Mode::fp32}});

struct DTypeSpelling {
  std::string word;
  ScalarType type;
};

/// Kinds, kinds with a mode, bare modes: the whole vocabulary of --dtype.
std::vector<DTypeSpelling> all_spellings() {
  std::vector<DTypeSpelling> out;
  for (const KindSpelling& k : kinds) {
    out.push_back({std::string(k.word), {k.kind}});
    if (!k.takes_mode) continue;
    for (const ModeSpelling& m : modes)
      out.push_back({std::string(k.word) + ":" + std::string(m.word), {k.kind, m.mode}});
  }
  for (const ModeSpelling& m : modes) out.push_back({std::string(m.word), {TypeKind::float32, m.mode}});
  return out;
}

const std::vector<DTypeSpelling>& spellings() {
  static const std::vector<DTypeSpelling> all = all_spellings();
  return all;
}

std::string_view name(TypeKind kind) { return std::ranges::find(kinds, kind, &KindSpelling::kind)->word; }
std::string_view name(Float32Mode mode) { return std::ranges::find(modes, mode, &ModeSpelling::mode)->word; }

bool has_mode(TypeKind kind) { return kind == TypeKind::float32 || kind == TypeKind::complex32; }

template <class Row>
std::vector<std::string> words(const Row& rows) {
  std::vector<std::string> out;
  for (const auto& row : rows) out.emplace_back(row.word);
  return out;
}

auto unknown(std::string_view what, std::string_view word, std::span<const std::string> choices) {
  return fail(
      usage_error("[" + std::string(what) + "] found \"" + std::string(word) + "\", expected one of " + join(choices),
                  suggestion(word, choices)));
}

}  // namespace

std::string to_string(const ScalarType& type) {
  std::string out(name(type.kind));
  if (has_mode(type.kind) && type.mode != Float32Mode::ieee754exec) out.append(":").append(name(type.mode));
  return out;
}

std::string_view meaning(const ScalarType& type) {
  if (!type.executable()) return "exact or idealised arithmetic for proofs, not executable";
  if (type.kind == TypeKind::native) return "the device's native width, any kernel";
  if (type.kind == TypeKind::complex32) return "pairs of binary32";
  return type.strict() ? "binary32, strict: the same bits on every device" : "binary32, any kernel";
}

std::span<const std::string> dtype_spellings() {
  static const std::vector<std::string> all = words(spellings());
  return all;
}

std::span<const std::string> float32_mode_spellings() {
  static const std::vector<std::string> all = words(modes);
  return all;
}

std::span<const std::string> float32_mode_names() {
  static const std::vector<std::string> all = [] {
    std::vector<std::string> out;
    for (const ModeSpelling& m : modes)
      if (m.word == name(m.mode)) out.emplace_back(m.word);
    return out;
  }();
  return all;
}

result<ScalarType> parse_dtype(std::string_view word) {
  const auto row = std::ranges::find(spellings(), word, &DTypeSpelling::word);
  if (row == spellings().end()) return unknown("dtype", word, dtype_spellings());
  return row->type;
}

result<Float32Mode> parse_float32_mode(std::string_view word) {
  const auto row = std::ranges::find(modes, word, &ModeSpelling::word);
  if (row == modes.end()) return unknown("float32-mode", word, float32_mode_spellings());
  return row->mode;
}

}  // namespace tenon
