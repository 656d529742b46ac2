// elf_symbols.h: what a shared object exports and asks for, read from its file. A plain function.
#pragma once
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace tenon::check {

struct DynamicSymbols {
  std::vector<std::string> exported, wanted;
};

/// Nothing if the file has no table of dynamic symbols among its sections.
std::optional<DynamicSymbols> read_dynamic_symbols(const std::filesystem::path& file);

}  // namespace tenon::check
