// library.h: a library of kernels compiled for the host, and the addresses that belong to it.
//
// A shared variable is a thread_local one in there (include/gpusim/language.h), found by its symbol. The library stays
// loaded. Any thread may use it; the addresses of shared variables are those of the thread that asks.
#pragma once
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "gpusim/table.h"

namespace gpusim {

struct SharedVariable {
  std::string name;  // as a person writes it: kernel::tile
  std::size_t offset, bytes;
};
/// Sorted by offset.
using SharedVariables = std::vector<SharedVariable>;

class Library {
 public:
  /// Null and a text when the file cannot be loaded or has no table.
  static std::unique_ptr<Library> open(const std::string& path, std::string& why_not);

  const gpusim_kernel* find(std::string_view name) const;
  bool instrumented() const { return table_.instrumented != 0; }
  const gpusim_kernel_table& table() const { return table_; }

  /// Those of the kernel itself, and those of functions that any kernel may call. Offsets are from shared_base().
  const SharedVariables& shared_variables(const gpusim_kernel& kernel) const {
    return shared_variables_[std::size_t(&kernel - table_.kernels)];
  }
  /// Of all kernels together.
  std::size_t shared_bytes() const { return shared_bytes_; }
  char* shared_base() const;

  /// Code and data of the library itself, shared variables not among them.
  bool contains(const void* address) const;

 private:
  Library() = default;
  void read_segments();
  void read_symbols(const char* file);
  void add(const char* symbol, const SharedVariable& variable);

  struct Segment {
    std::uintptr_t begin, end;
  };
  gpusim_kernel_table table_{};
  std::vector<SharedVariables> shared_variables_;  // by kernel
  std::vector<Segment> segments_;
  std::size_t shared_bytes_ = 0, module_ = 0;
};

}  // namespace gpusim
