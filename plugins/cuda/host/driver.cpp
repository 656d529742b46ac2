#include "driver.h"

#include <dlfcn.h>

#include "tenon/plugin.hpp"
#include "vendor.h"

namespace tenon::gpu {
namespace {

using plugin::text;

constexpr bool is_hip = std::string_view(TENON_GPU_KIND) == "rocm";

std::string loader_words() {
  const char* words = dlerror();
  return words == nullptr ? "no words" : words;
}

struct Library {
  void* handle = nullptr;
  std::string name, trouble;  // of the first one that was tried
};

Library open_library() {
  Library library;
  for (const char* name : vendor.libraries) {
    library.name = name;
    library.handle = dlopen(name, RTLD_NOW | RTLD_LOCAL);
    if (library.handle != nullptr) return library;
    if (library.trouble.empty()) library.trouble = loader_words();
  }
  return library;
}

std::string version_words(int version) { return vendor.version_text(version); }

/// An older driver lacks functions; so its version, where it says it, is the better words.
Absence too_old(const Driver& driver, const std::string& what) {
  return {TENON_REASON_DRIVER_TOO_OLD, text(driver.library, ": ", what, "; this plugin needs version ",
                                            version_words(vendor.minimum_version), ": update the ", vendor.driver)};
}

template <class Found>
bool find(void* library, const char* name, Found& function) {
  function = reinterpret_cast<Found>(dlsym(library, name));
  return function != nullptr;
}

/// The name of the first function that is not there.
const char* find_functions(void* library, Driver& driver) {
#define TENON_DRIVER_FIND(member, cuda, hip, parameters) \
  if (!find(library, is_hip ? #hip : #cuda, driver.member)) return is_hip ? #hip : #cuda;
  TENON_DRIVER_FUNCTIONS(TENON_DRIVER_FIND)
#undef TENON_DRIVER_FIND
  if (!find(library, vendor.error_text, driver.error_text)) return vendor.error_text;
  if (vendor.properties != nullptr && !find(library, vendor.properties, driver.properties)) return vendor.properties;
  return nullptr;
}

Absence missing(const std::string& what) {
  return {TENON_REASON_DRIVER_MISSING,
          text(what, ": the ", vendor.driver, " is not installed, or is not visible to this process")};
}

}  // namespace

std::variant<Driver, Absence> load_driver() {
  const Library library = open_library();
  if (library.handle == nullptr) return missing(library.trouble);
  Driver driver;
  driver.library = library.name;
  const char* lacking = find_functions(library.handle, driver);
  const Status told = driver.driver_version == nullptr ? not_found : driver.driver_version(&driver.version);
  if (told == success && driver.version < vendor.minimum_version)
    return too_old(driver, text("the driver is of version ", version_words(driver.version)));
  if (lacking != nullptr) return too_old(driver, text("it has no function ", lacking));
  if (const Status status = told == success ? driver.initialise(0) : told; status != success) {
    if (status == stub_library)
      return missing(text(library.name, " is a stub to link with: ", words_of(driver, status)));
    return Absence{TENON_REASON_NO_DEVICE,
                   text(library.name, " finds no device that it can use: ", words_of(driver, status))};
  }
  return driver;
}

std::string words_of(const Driver& driver, Status status) {
  return text(vendor.words(driver, status), " (", status, ")");
}

}  // namespace tenon::gpu
