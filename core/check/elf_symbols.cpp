#include "elf_symbols.h"

#include <elf.h>

#include "elf_file.h"

namespace tenon::check {
namespace {

bool is_global(const Elf64_Sym& symbol) {
  const unsigned binding = ELF64_ST_BIND(symbol.st_info), visibility = ELF64_ST_VISIBILITY(symbol.st_other);
  return binding != STB_LOCAL && (visibility == STV_DEFAULT || visibility == STV_PROTECTED);
}

std::optional<Elf64_Shdr> section(const host::ElfFile& file, const Elf64_Ehdr& header, unsigned number) {
  return file.at<Elf64_Shdr>(header.e_shoff + std::uint64_t{number} * header.e_shentsize);
}

void add(const host::ElfFile& file, const Elf64_Sym& symbol, const Elf64_Shdr& names, DynamicSymbols& out) {
  const auto name = file.text(names.sh_offset + symbol.st_name);
  if (!name || name->empty() || !is_global(symbol)) return;
  // Names of the linker's own, as of the end of the data, and versions are no exports of anybody's.
  if (symbol.st_shndx == SHN_ABS) return;
  (symbol.st_shndx == SHN_UNDEF ? out.wanted : out.exported).push_back(*name);
}

}  // namespace

std::optional<DynamicSymbols> read_dynamic_symbols(const std::filesystem::path& path) {
  const auto file = host::ElfFile::open(path);
  const auto header = file ? file->at<Elf64_Ehdr>(0) : std::nullopt;
  if (!header) return std::nullopt;
  for (unsigned i = 0; i < header->e_shnum; ++i) {
    const auto table = section(*file, *header, i);
    if (!table || table->sh_type != SHT_DYNSYM) continue;
    const auto names = section(*file, *header, table->sh_link);
    if (!names) return std::nullopt;
    DynamicSymbols out;
    for (std::uint64_t at = 0; at < table->sh_size; at += sizeof(Elf64_Sym))
      if (const auto symbol = file->at<Elf64_Sym>(table->sh_offset + at)) add(*file, *symbol, *names, out);
    return out;
  }
  return std::nullopt;
}

}  // namespace tenon::check
