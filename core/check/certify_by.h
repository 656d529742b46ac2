// certify_by.h: a certificate by a helper program that is named, of which certify() names this Tenon's own. Plain
// function; any thread.
#pragma once
#include "tenon/certificate.h"

namespace tenon::check {

/// PROBE_FAILED where the program does not answer as a helper does.
result<Certificate> certify_by(const std::filesystem::path& program, const std::filesystem::path& file,
                               const CertifyOptions& options);

}  // namespace tenon::check
