// Calls a function that nobody defines.
#include "faulty.h"

extern "C" std::int32_t function_that_nobody_defines();

std::int32_t tenon_plugin_query(const tenon_query*, tenon_reply*) { return function_that_nobody_defines(); }
