// library.h: a shared object in this process. Copies share it; it is never unloaded while the process runs normally.
#pragma once
#include <filesystem>
#include <memory>

#include "tenon/plugin.h"
#include "tenon/result.h"

namespace tenon::host {

using QueryFunction = std::int32_t (*)(const tenon_query*, tenon_reply*);

class Library {
 public:
  /// MISSING_DEPENDENCY, UNDEFINED_SYMBOL or LOAD_FAILED, naming `file` and what the loader missed.
  static result<Library> open(const std::filesystem::path& file);

  /// NO_ENTRY_POINT if it does not export tenon_plugin_query.
  result<QueryFunction> entry_point() const;

  const std::filesystem::path& file() const { return file_; }

 private:
  std::filesystem::path file_;
  std::shared_ptr<void> handle_;
};

}  // namespace tenon::host
