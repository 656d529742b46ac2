// Does nothing wrong.
#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) { return faulty::answer(query, reply); }
