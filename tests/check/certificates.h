// certificates.h: certificates of the plugins that the build makes.
#pragma once
#include <gtest/gtest.h>

#include <set>

#include "abi_range.h"
#include "negotiate.h"
#include "tenon/certificate.h"

namespace tenon::check::test {

namespace fs = std::filesystem;

inline fs::path plugin_file(const std::string& below) {
  return fs::path(TENON_TEST_BUILD_DIR) / "test-plugins" / below;
}
inline fs::path flawed_file(const std::string& name) { return plugin_file("flawed/tenon_" + name + ".so"); }

inline Certificate certificate_of(const fs::path& file, const CertifyOptions& options = {}) {
  auto certificate = certify(file, options);
  if (certificate) return *std::move(certificate);
  ADD_FAILURE() << to_string(certificate.error());
  return {};
}

inline std::set<std::string> ids(const Certificate& certificate, Outcome outcome) {
  std::set<std::string> out;
  for (const CheckResult& r : certificate.results)
    if (r.outcome == outcome) out.insert(r.id());
  return out;
}

/// What fails, each with what was found: a passed certificate gives nothing.
inline std::string failures(const Certificate& certificate) {
  std::string out;
  for (const CheckResult& r : certificate.results)
    if (r.outcome == Outcome::failed) out += r.id() + ": found " + r.found + ", expected " + r.expected + "\n";
  return out;
}

/// The version that a plugin of this SDK speaks with this Tenon.
inline std::string abi_text() { return host::abi_text(TENON_ABI); }

/// A build with sanitizers has their allocator, and takes its time.
inline bool is_sanitized() { return host::own_sanitizer() != 0; }

}  // namespace tenon::check::test
