#include "library.h"

#include <dlfcn.h>

#include "tenon/plugin.hpp"

namespace tenon::gpu::cublas {
namespace {

using plugin::text;

constexpr int newest_major_version = 13;

constexpr const char* needed = "this plugin needs cuBLAS 12.0 or newer";
static_assert(least_major_version == 12);

template <class Found>
bool find(void* library, const char* name, Found& function) {
  function = reinterpret_cast<Found>(dlsym(library, name));
  return function != nullptr;
}

/// The name of the first function that is not there.
const char* find_functions(void* handle, Library& library) {
#define TENON_CUBLAS_FIND(member, name, parameters) \
  if (!find(handle, #name, library.member)) return #name;
  TENON_CUBLAS_FUNCTIONS(TENON_CUBLAS_FIND)
#undef TENON_CUBLAS_FIND
  return find(handle, "cublasGetStatusString", library.status_text) ? nullptr : "cublasGetStatusString";
}

/// Why the library does not serve; nothing if it does. An older one lacks functions, so its version, where it says it,
/// is the better words.
std::string trouble_with(void* handle, Library& library) {
  const char* missing = find_functions(handle, library);
  int major = 0, minor = 0;
  const bool is_told = library.get_property != nullptr &&
                       library.get_property(major_version, &major) == Result::success &&
                       library.get_property(minor_version, &minor) == Result::success;
  if (is_told && major < least_major_version)
    return text(library.name, " is of version ", major, ".", minor, ": ", needed);
  if (missing != nullptr) return text(library.name, " has no function ", missing, ": ", needed);
  return {};
}

}  // namespace

// A library of CUDA's version N runs on drivers of that version and later ones.
std::variant<Library, std::string> load_library(int driver_version) {
  std::string trouble;
  const auto keep_first = [&](std::string words) { trouble = trouble.empty() ? std::move(words) : trouble; };
  for (int major = newest_major_version; major >= least_major_version; --major) {
    if (major > driver_version / 1000) continue;
    Library library;
    library.name = text("libcublas.so.", major);
    void* handle = dlopen(library.name.c_str(), RTLD_NOW | RTLD_LOCAL);
    if (handle == nullptr) {
      const char* words = dlerror();
      keep_first(text(words == nullptr ? library.name.c_str() : words,
                      ": cuBLAS is not installed, or not visible to this process"));
      continue;
    }
    std::string found = trouble_with(handle, library);
    if (found.empty()) return library;
    keep_first(std::move(found));
  }
  return trouble.empty() ? text("none runs on a driver of version ", driver_version / 1000, ": ", needed) : trouble;
}

std::string words_of(const Library& library, Result result) {
  const char* said = library.status_text(result);
  return text(said == nullptr ? "unknown error" : said, " (", static_cast<int>(result), ")");
}

}  // namespace tenon::gpu::cublas
