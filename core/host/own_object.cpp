#include "own_object.h"

#include <dlfcn.h>
#include <link.h>
#include <unistd.h>

namespace tenon::host {
namespace {

namespace fs = std::filesystem;

/// The loader names the main program by an empty text.
fs::path loaded_from(const void* address) {
  Dl_info info{};
  link_map* map = nullptr;
  if (dladdr1(address, &info, reinterpret_cast<void**>(&map), RTLD_DL_LINKMAP) == 0 || map == nullptr) return {};
  return map->l_name == nullptr || *map->l_name == '\0' ? fs::path("/proc/self/exe") : fs::path(map->l_name);
}

}  // namespace

fs::path own_object() {
  static const char anchor = 0;
  std::error_code failed;
  fs::path object = fs::canonical(loaded_from(&anchor), failed);
  return failed ? fs::path() : object;
}

std::vector<fs::path> folders_beside(const fs::path& object) {
  if (object.empty()) return {};
  const fs::path folder = object.parent_path();
  const fs::path beside = folder / "tenon-plugins", in_lib = (folder / "../lib/tenon-plugins").lexically_normal();
  if (object.filename().string().starts_with("libtenon.") || beside == in_lib) return {beside};
  return {beside, in_lib};
}

result<fs::path> require_helper(std::string_view where, const std::string& name, const fs::path& object) {
  for (const char* place : {"../bin", "../libexec/tenon", "."}) {
    const fs::path program = (object.parent_path() / place / name).lexically_normal();
    if (::access(program.c_str(), X_OK) == 0) return program;
  }
  return fail(Reason::PROBE_FAILED,
              "[" + std::string(where) + "] the program " + name + " does not lie where " + object.string() +
                  " expects it: in ../bin, in ../libexec/tenon or beside it",
              "install Tenon again");
}

}  // namespace tenon::host
