// Lets an exception out of the query.
#include <stdexcept>

#include "faulty.h"

std::int32_t tenon_plugin_query(const tenon_query*, tenon_reply*) { throw std::runtime_error("thrown by a test"); }
