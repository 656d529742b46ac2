// validate.h: TENON_VALIDATE=1: a plugin's tables become checking ones. See tenon/validation.h.
#pragma once
#include <memory>

#include "../tables.h"
#include "ledger.h"

namespace tenon::host {

/// Puts checking functions in the place of the plugin's own, once its tables are complete. What `enumerate` and `open`
/// are given from then on is validated_self(). The answer lives as long as the process.
std::shared_ptr<ValidatedPlugin> validate(PluginTables& tables);

/// `self`: what initialize gave.
void* validated_self(ValidatedPlugin& plugin, void* self);

}  // namespace tenon::host
