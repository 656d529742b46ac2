// temp_folder.h: a folder of a test's own, removed with it; and files to put there.
#pragma once
#include <link.h>
#include <stdlib.h>

#include <filesystem>
#include <fstream>
#include <string>

namespace tenon::test {

class TempFolder {
 public:
  TempFolder() {
    std::string pattern = (std::filesystem::temp_directory_path() / "tenon-test-XXXXXX").string();
    path_ = ::mkdtemp(pattern.data());
  }
  ~TempFolder() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  TempFolder(const TempFolder&) = delete;

  const std::filesystem::path& path() const { return path_; }
  std::filesystem::path operator/(const std::string& name) const { return path_ / name; }

  std::filesystem::path write(const std::string& name, const std::string& text) const {
    std::filesystem::create_directories((path_ / name).parent_path());
    std::ofstream(path_ / name, std::ios::binary) << text;
    return path_ / name;
  }

 private:
  std::filesystem::path path_;
};

/// An environment variable for the length of a test.
class Variable {
 public:
  Variable(const char* name, const std::string& value) : name_(name) {
    if (const char* before = ::getenv(name)) before_ = before, had_ = true;
    ::setenv(name, value.c_str(), 1);
  }
  ~Variable() { had_ ? ::setenv(name_, before_.c_str(), 1) : ::unsetenv(name_); }
  Variable(const Variable&) = delete;

 private:
  const char* name_;
  std::string before_;
  bool had_ = false;
};

/// Some shared object that this machine can load: the C library.
inline std::filesystem::path some_library() {
  std::filesystem::path found;
  const auto look = [](dl_phdr_info* info, std::size_t, void* out) {
    const std::string name = info->dlpi_name;
    if (name.find("libc.so") == name.npos) return 0;
    *static_cast<std::filesystem::path*>(out) = std::filesystem::canonical(name);
    return 1;
  };
  ::dl_iterate_phdr(look, &found);
  return found;
}

inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
  const auto at = text.find(from);
  return at == text.npos ? text : text.replace(at, from.size(), to);
}

/// A valid manifest; its library is `<id>.so`.
inline std::string manifest_text(const std::string& id, const std::string& vendor = "tenon",
                                 const std::string& device_class = "other") {
  return R"({"schema": 1, "id": ")" + id + R"(", "vendor": ")" + vendor + R"(", "version": "1.2.3", "library": ")" +
         id + R"(.so", "devices": [{"kind": ")" + id + R"(", "class": ")" + device_class +
         R"(", "software": false}], "abi": {"min": "1.0", "max": "1.0"}, "architecture": "x86_64", "build_id": ""})";
}

/// A plugin that can be found, though nobody would want to load it.
inline std::filesystem::path install(const TempFolder& root, const std::string& folder, const std::string& id,
                                     const std::string& manifest) {
  const auto file = root.write(folder + "/" + id + ".tenon.json", manifest);
  std::filesystem::copy_file(some_library(), file.parent_path() / (id + ".so"),
                             std::filesystem::copy_options::overwrite_existing);
  return file;
}

}  // namespace tenon::test
