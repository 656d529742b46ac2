// The one exported symbol, in a file of its own: tests link everything else.
#include "device.h"
#include "tenon/plugin.hpp"

extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  return tenon::plugin::answer_query("late", query, reply, tenon::late::table);
}
