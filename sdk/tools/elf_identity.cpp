#include "elf_identity.h"

#include <elf.h>

#include <cstring>
#include <fstream>
#include <iterator>

namespace {

template <class T>
bool read_at(const std::string& bytes, std::size_t offset, T& value) {
  if (offset > bytes.size() || bytes.size() - offset < sizeof value) return false;
  std::memcpy(&value, bytes.data() + offset, sizeof value);
  return true;
}

std::string architecture_name(unsigned machine) {
  if (machine == EM_X86_64) return "x86_64";
  if (machine == EM_AARCH64) return "aarch64";
  if (machine == EM_RISCV) return "riscv64";
  return "elf-machine-" + std::to_string(machine);
}

std::string hex(const std::string& bytes, std::size_t offset, std::size_t count) {
  constexpr char digits[] = "0123456789abcdef";
  std::string out;
  for (std::size_t i = offset; i < offset + count && i < bytes.size(); ++i) {
    const auto byte = static_cast<unsigned char>(bytes[i]);
    out += digits[byte >> 4];
    out += digits[byte & 15];
  }
  return out;
}

std::size_t padded(std::size_t length) { return (length + 3) & ~std::size_t{3}; }

std::string build_id_among_notes(const std::string& bytes, std::size_t offset, std::size_t end) {
  Elf64_Nhdr note;
  while (offset < end && read_at(bytes, offset, note)) {
    const std::size_t owner = offset + sizeof note;
    const std::size_t content = owner + padded(note.n_namesz);
    if (note.n_type == NT_GNU_BUILD_ID && bytes.compare(owner, 4, std::string("GNU\0", 4)) == 0)
      return hex(bytes, content, note.n_descsz);
    offset = content + padded(note.n_descsz);
  }
  return {};
}

std::string build_id(const std::string& bytes, const Elf64_Ehdr& header) {
  for (unsigned i = 0; i < header.e_phnum; ++i) {
    Elf64_Phdr segment;
    if (!read_at(bytes, header.e_phoff + i * sizeof segment, segment)) return {};
    if (segment.p_type != PT_NOTE) continue;
    std::string found = build_id_among_notes(bytes, segment.p_offset, segment.p_offset + segment.p_filesz);
    if (!found.empty()) return found;
  }
  return {};
}

}  // namespace

ElfIdentity read_elf_identity(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string bytes{std::istreambuf_iterator<char>(stream), {}};
  Elf64_Ehdr header;
  if (!read_at(bytes, 0, header)) return {};
  return {architecture_name(header.e_machine), build_id(bytes, header)};
}
