// elf_identity.h: architecture and GNU build-id of a library that the linker has just written.
#pragma once
#include <string>

struct ElfIdentity {
  std::string architecture;  // "x86_64"; empty if the file could not be read
  std::string build_id;      // hex; empty if there is none
};

ElfIdentity read_elf_identity(const char* file);
