// unread_manifests.h: manifests that could not be read, for the errors that they may be the cause of. Plain function.
#pragma once
#include <string>

#include "tenon/catalogue.h"

namespace tenon::host {

/// Lines "not read: FILE: why", each after a line break; empty if every manifest could be read.
std::string unread_manifests(const Catalogue& catalogue);

}  // namespace tenon::host
