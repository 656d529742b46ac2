// tables.h: the host's own copies of a plugin's tables: of the current size, checked, without a null slot.
//
// A PluginTables is filled once and does not move; strings and functions in it belong to the loaded plugin.
#pragma once
#include <deque>
#include <filesystem>
#include <string>
#include <vector>

#include "tenon/loaded_plugin.h"
#include "tenon/plugin.h"
#include "tenon/result.h"

namespace tenon::host {

struct PluginTables {
  tenon_plugin plugin{};
  tenon_devices devices{};
  std::deque<tenon_capsule> capsules;  // a deque: the pointers below stay valid
  std::deque<tenon_numerics> numerics;
  std::vector<const tenon_capsule*> usable;
  std::vector<RejectedCapsule> rejected;
};

/// BAD_TABLE, naming the slot, if something mandatory is missing. `offered` are the words of abi_facts().
result<void> copy_plugin_table(const std::filesystem::path& file, const tenon_plugin& theirs,
                               const std::string& offered, PluginTables& ours);

/// Fills `usable` and `rejected`. Without `may_be_checked` every trust becomes TENON_TRUST_EXTERNAL.
void copy_capsules(bool may_be_checked, PluginTables& ours);

inline bool has_text(const char* text) { return text != nullptr && *text != '\0'; }

/// A current-size copy of a struct that says its own size; what it is too short for stays zero.
template <class Table>
Table copy_sized(const Table& theirs) {
  Table ours{};
  const std::size_t bytes = theirs.size < sizeof(Table) ? theirs.size : sizeof(Table);
  __builtin_memcpy(&ours, &theirs, bytes);
  ours.size = sizeof(Table);
  return ours;
}

}  // namespace tenon::host
