#include "elf_facts.h"

#include <elf.h>

#include <array>
#include <cstring>

#include "elf_file.h"

namespace tenon::host {
namespace {

#if defined(__x86_64__)
constexpr unsigned own_machine = EM_X86_64;
#elif defined(__aarch64__)
constexpr unsigned own_machine = EM_AARCH64;
#elif defined(__riscv)
constexpr unsigned own_machine = EM_RISCV;
#else
#error "add the ELF machine of this architecture"
#endif

struct MachineName {
  unsigned machine;
  std::string_view name;
};
constexpr auto machine_names = std::to_array<MachineName>({{EM_386, "i386"},
                                                           {EM_ARM, "arm"},
                                                           {EM_X86_64, "x86_64"},
                                                           {EM_AARCH64, "aarch64"},
                                                           {EM_RISCV, "riscv64"},
                                                           {EM_PPC64, "ppc64"},
                                                           {EM_S390, "s390x"}});

std::string machine_name(unsigned machine) {
  for (const MachineName& row : machine_names)
    if (row.machine == machine) return std::string(row.name);
  return "ELF machine " + std::to_string(machine);
}

/// Reads the headers of one file and says what is wrong in its name.
class Inspector {
 public:
  Inspector(const std::filesystem::path& path, const ElfFile& file) : path_(path), file_(file) {}

  result<ElfFacts> inspect() {
    TENON_CHECK(read_header());
    TENON_CHECK(check_sections());
    TENON_CHECK(read_segments());
    ElfFacts facts;
    for (const Elf64_Phdr& segment : segments_) {
      if (segment.p_type == PT_NOTE && facts.build_id.empty()) facts.build_id = build_id(segment);
      if (segment.p_type == PT_DYNAMIC) facts.needed = needed(segment);
    }
    return facts;
  }

 private:
  tl::unexpected<Error> refuse(Reason reason, const std::string& what) const {
    return fail(reason, "[plugin] " + path_.string() + ": " + what);
  }

  tl::unexpected<Error> cut_off(const std::string& what) const {
    return refuse(Reason::DAMAGED_FILE, "the file is damaged: " + what + " lies beyond the end of its " +
                                            std::to_string(file_.bytes()) + " bytes");
  }

  result<void> read_header() {
    std::array<unsigned char, SELFMAG> magic{};
    const bool readable = file_.read(0, magic.data(), magic.size());
    if (!readable && file_.bytes() > 0) return cut_off("its ELF header");
    if (!readable || std::memcmp(magic.data(), ELFMAG, SELFMAG) != 0)
      return refuse(Reason::NOT_A_LIBRARY, "not an ELF shared object");
    const auto header = file_.at<Elf64_Ehdr>(0);
    if (!header) return cut_off("its ELF header");
    header_ = *header;
    return check_identity();
  }

  result<void> check_identity() const {
    if (header_.e_ident[EI_CLASS] != ELFCLASS64 || header_.e_ident[EI_DATA] != ELFDATA2LSB)
      return wrong_architecture(std::string(header_.e_ident[EI_CLASS] == ELFCLASS32 ? "32-bit" : "big-endian") + " " +
                                machine_name(header_.e_machine));
    if (header_.e_machine != own_machine) return wrong_architecture(machine_name(header_.e_machine));
    if (header_.e_type != ET_DYN) return refuse(Reason::NOT_A_LIBRARY, "an ELF file, but not a shared object");
    if (header_.e_phnum == 0 || header_.e_phentsize != sizeof(Elf64_Phdr))
      return refuse(Reason::DAMAGED_FILE, "the file is damaged: it has no program headers");
    return {};
  }

  tl::unexpected<Error> wrong_architecture(const std::string& found) const {
    return refuse(Reason::WRONG_ARCHITECTURE,
                  "built for another architecture: found " + found + ", expected " + std::string(host_architecture()));
  }

  result<void> check_sections() const {
    if (header_.e_shnum == 0) return {};
    if (header_.e_shentsize != sizeof(Elf64_Shdr))
      return refuse(Reason::DAMAGED_FILE, "the file is damaged: its section headers have an unknown size");
    for (std::uint64_t i = 0; i < header_.e_shnum; ++i) {
      const auto section = file_.at<Elf64_Shdr>(header_.e_shoff + i * sizeof(Elf64_Shdr));
      if (!section) return cut_off("its table of sections");
      if (section->sh_type != SHT_NOBITS && !file_.holds(section->sh_offset, section->sh_size))
        return cut_off("section " + std::to_string(i));
    }
    return {};
  }

  result<void> read_segments() {
    for (std::uint64_t i = 0; i < header_.e_phnum; ++i) {
      const auto segment = file_.at<Elf64_Phdr>(header_.e_phoff + i * sizeof(Elf64_Phdr));
      if (!segment) return cut_off("its table of segments");
      if (!file_.holds(segment->p_offset, segment->p_filesz)) return cut_off("segment " + std::to_string(i));
      segments_.push_back(*segment);
    }
    return {};
  }

  std::string build_id(const Elf64_Phdr& notes) const {
    std::uint64_t at = notes.p_offset;
    const std::uint64_t end = notes.p_offset + notes.p_filesz;
    while (at < end) {
      const auto note = file_.at<Elf64_Nhdr>(at);
      if (!note) return {};
      const std::uint64_t owner = at + sizeof *note, content = owner + padded(note->n_namesz);
      if (note->n_type == NT_GNU_BUILD_ID && file_.text(owner) == "GNU") return hex(content, note->n_descsz);
      at = content + padded(note->n_descsz);
    }
    return {};
  }

  static std::uint64_t padded(std::uint64_t length) { return (length + 3) & ~std::uint64_t{3}; }

  std::string hex(std::uint64_t offset, std::uint64_t count) const {
    constexpr std::string_view digits = "0123456789abcdef";
    std::array<unsigned char, 64> bytes{};
    if (count > bytes.size() || !file_.read(offset, bytes.data(), count)) return {};
    std::string out;
    for (std::uint64_t i = 0; i < count; ++i) out.append({digits[bytes[i] >> 4], digits[bytes[i] & 15]});
    return out;
  }

  std::vector<std::string> needed(const Elf64_Phdr& dynamic) const {
    std::vector<std::uint64_t> names;
    std::uint64_t strings = 0;
    for (std::uint64_t at = 0; at + sizeof(Elf64_Dyn) <= dynamic.p_filesz; at += sizeof(Elf64_Dyn)) {
      const auto entry = file_.at<Elf64_Dyn>(dynamic.p_offset + at);
      if (!entry || entry->d_tag == DT_NULL) break;
      if (entry->d_tag == DT_NEEDED) names.push_back(entry->d_un.d_val);
      if (entry->d_tag == DT_STRTAB) strings = offset_of_address(entry->d_un.d_ptr);
    }
    std::vector<std::string> out;
    for (const std::uint64_t name : names)
      if (const auto text = file_.text(strings + name)) out.push_back(*text);
    return out;
  }

  std::uint64_t offset_of_address(std::uint64_t address) const {
    for (const Elf64_Phdr& segment : segments_)
      if (segment.p_type == PT_LOAD && address >= segment.p_vaddr && address - segment.p_vaddr < segment.p_filesz)
        return address - segment.p_vaddr + segment.p_offset;
    return file_.bytes();
  }

  const std::filesystem::path& path_;
  const ElfFile& file_;
  Elf64_Ehdr header_{};
  std::vector<Elf64_Phdr> segments_;
};

}  // namespace

result<ElfFacts> read_elf(const std::filesystem::path& file) {
  TENON_TRY(const ElfFile opened, ElfFile::open(file));
  return Inspector(file, opened).inspect();
}

std::string_view host_architecture() {
  static_assert(own_machine == EM_X86_64 || own_machine == EM_AARCH64 || own_machine == EM_RISCV);
  if constexpr (own_machine == EM_X86_64)
    return "x86_64";
  else if constexpr (own_machine == EM_AARCH64)
    return "aarch64";
  else
    return "riscv64";
}

}  // namespace tenon::host
