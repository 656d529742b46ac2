#include "library.h"

#include <cxxabi.h>
#include <dlfcn.h>
#include <elf.h>
#include <link.h>

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <iterator>

extern "C" void* __tls_get_addr(void*);  // the C library's; it makes the thread's copy if there is none

namespace gpusim {
namespace {

std::string demangled(const char* symbol) {
  int status = 0;
  char* text = abi::__cxa_demangle(symbol, nullptr, nullptr, &status);
  std::string name = status == 0 ? text : symbol;
  std::free(text);
  return name;
}

}  // namespace

std::unique_ptr<Library> Library::open(const std::string& path, std::string& why_not) {
  void* handle = dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL | RTLD_NODELETE);
  if (handle == nullptr) {
    why_not = dlerror();
    return nullptr;
  }
  const auto kernels = reinterpret_cast<gpusim_kernels_function>(dlsym(handle, "gpusim_kernels"));
  if (kernels == nullptr || kernels().version != gpusim_table_version) {
    why_not = path + " exports no gpusim_kernels of version " + std::to_string(gpusim_table_version);
    return nullptr;
  }
  std::unique_ptr<Library> library(new Library);
  library->table_ = kernels();
  library->shared_variables_.resize(library->table_.count);
  Dl_info info{};
  dladdr(reinterpret_cast<void*>(kernels), &info);
  library->read_segments();
  library->read_symbols(info.dli_fname);
  return library;
}

void Library::read_segments() {
  const auto visit = [](dl_phdr_info* object, std::size_t, void* self_as_void) {
    auto* self = static_cast<Library*>(self_as_void);
    std::vector<Segment> segments;
    for (int i = 0; i < object->dlpi_phnum; ++i) {
      const auto& header = object->dlpi_phdr[i];
      const std::uintptr_t begin = object->dlpi_addr + header.p_vaddr;
      if (header.p_type == PT_LOAD) segments.push_back({begin, begin + header.p_memsz});
    }
    const auto address = reinterpret_cast<std::uintptr_t>(self->table_.kernels);
    const bool ours = std::any_of(segments.begin(), segments.end(),
                                  [&](const Segment& s) { return address >= s.begin && address < s.end; });
    if (!ours) return 0;
    self->segments_ = std::move(segments);
    self->module_ = object->dlpi_tls_modid;
    return 1;
  };
  dl_iterate_phdr(visit, this);
}

void Library::read_symbols(const char* file) {
  std::ifstream stream(file, std::ios::binary);
  const std::string image{std::istreambuf_iterator<char>(stream), {}};
  const auto* header = reinterpret_cast<const Elf64_Ehdr*>(image.data());
  const auto* sections = reinterpret_cast<const Elf64_Shdr*>(image.data() + header->e_shoff);
  for (int i = 0; i < header->e_shnum; ++i) {
    if (sections[i].sh_type != SHT_SYMTAB) continue;
    const char* names = image.data() + sections[sections[i].sh_link].sh_offset;
    const auto* symbols = reinterpret_cast<const Elf64_Sym*>(image.data() + sections[i].sh_offset);
    for (std::size_t j = 0; j < sections[i].sh_size / sizeof *symbols; ++j) {
      const Elf64_Sym& symbol = symbols[j];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_TLS || symbol.st_shndx == SHN_UNDEF) continue;
      const char* name = names + symbol.st_name;
      add(name, {demangled(name), symbol.st_value, symbol.st_size});
    }
  }
  for (SharedVariables& variables : shared_variables_) {
    std::sort(variables.begin(), variables.end(),
              [](const SharedVariable& a, const SharedVariable& b) { return a.offset < b.offset; });
  }
}

// A variable of the kernel `sum` is called _ZZ3sumE4tile (Itanium C++ ABI, "Scope Encoding").
void Library::add(const char* symbol, const SharedVariable& variable) {
  shared_bytes_ = std::max(shared_bytes_, variable.offset + variable.bytes);
  for (unsigned i = 0; i < table_.count; ++i) {
    const std::string kernel = table_.kernels[i].name;
    if (!std::string_view(symbol).starts_with("_ZZ" + std::to_string(kernel.size()) + kernel + "E")) continue;
    shared_variables_[i].push_back(variable);
    return;
  }
  for (SharedVariables& variables : shared_variables_) variables.push_back(variable);
}

char* Library::shared_base() const {
  if (shared_bytes_ == 0) return nullptr;
  struct {
    std::size_t module, offset;
  } index{module_, 0};
  return static_cast<char*>(__tls_get_addr(&index));
}

bool Library::contains(const void* address) const {
  const auto a = reinterpret_cast<std::uintptr_t>(address);
  return std::any_of(segments_.begin(), segments_.end(), [a](const Segment& s) { return a >= s.begin && a < s.end; });
}

const gpusim_kernel* Library::find(std::string_view wanted) const {
  const auto* end = table_.kernels + table_.count;
  const auto* found = std::find_if(table_.kernels, end, [&](const gpusim_kernel& k) { return wanted == k.name; });
  return found == end ? nullptr : found;
}

}  // namespace gpusim
