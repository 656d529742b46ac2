// elf_facts.h: what a shared object says about itself, read without loading it. Plain functions; any thread.
//
// dlopen dies of SIGBUS on a file that was cut off, so every end that its headers name is checked against its size.
#pragma once
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "tenon/result.h"

namespace tenon::host {

struct ElfFacts {
  std::string build_id;             // hex; empty if there is none
  std::vector<std::string> needed;  // DT_NEEDED
};

/// NOT_A_LIBRARY, DAMAGED_FILE or WRONG_ARCHITECTURE if this process cannot load it.
result<ElfFacts> read_elf(const std::filesystem::path& file);

/// "x86_64", "aarch64", ...
std::string_view host_architecture();

}  // namespace tenon::host
