// A device that leaves its mark in the file that MARKS_FILE names: a line when the library is loaded, and one when it
// is initialised.
#include <cstdlib>
#include <fstream>

#include "fakes/bad/faulty.h"

namespace {

void mark(const char* what) {
  if (const char* file = std::getenv("MARKS_FILE")) std::ofstream(file, std::ios::app) << what << "\n";
}

[[maybe_unused]] const bool loaded = (mark("loaded"), true);

std::int32_t initialize(const tenon_attr* options, std::uint32_t option_count, void** self) {
  mark("initialised");
  return faulty::initialize(options, option_count, self);
}

}  // namespace

std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
  faulty::plugin_table.initialize = initialize;
  return faulty::answer(query, reply);
}
