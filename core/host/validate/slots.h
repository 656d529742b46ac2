// slots.h: the checking functions, by what they act on. Each put_ replaces slots of a table that is complete.
#pragma once
#include "../tables.h"
#include "ledger.h"

namespace tenon::host {

void put_device_slots(tenon_devices& table);  // enumerate to close, memory
void put_stream_slots(tenon_devices& table);  // streams, copies, launches of many
void put_event_slots(tenon_devices& table);
void put_capsule_slots(tenon_capsule& capsule);

/// Optional slots that cannot be checked are as if the plugin lacked them: graphs.
void drop_unchecked_slots(tenon_devices& table);

}  // namespace tenon::host
