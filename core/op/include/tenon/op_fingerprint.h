// op_fingerprint.h: which op table a translation unit was compiled with.
//
// Operations cross libtenon.so's border as numbers. A program that was compiled with the headers of another Tenon would
// mean other operations by them; where a device is opened or a session made, the two tables are compared.
#pragma once
#include "tenon/op.h"

namespace tenon {

/// FNV-1a over the names of all operations, in order.
constexpr std::uint64_t op_fingerprint() {
  std::uint64_t hash = 0xcbf29ce484222325;
  const auto add = [&hash](std::string_view text) {
    for (const char letter : text) hash = (hash ^ static_cast<unsigned char>(letter)) * 0x100000001b3;
  };
  for (const OpSpec& row : all_ops()) add(row.name), add(";");
  return hash;
}

/// As a default argument it is the caller's: `result<X> open(..., CompiledWith caller = {})`.
struct CompiledWith {
  std::uint64_t ops = op_fingerprint();
};

}  // namespace tenon
