#include "abi_range.h"

#include "tenon/version.h"

namespace tenon::host {

std::string abi_text(std::uint32_t abi) { return std::to_string(abi >> 16) + "." + std::to_string(abi & 0xffff); }

std::string range_text(std::uint32_t low, std::uint32_t high) {
  return low == high ? abi_text(low) : abi_text(low) + " to " + abi_text(high);
}

result<void> check_abi_range(const std::filesystem::path& plugin, std::uint32_t offered_min,
                             std::uint32_t offered_max) {
  if (offered_min <= abi_max && abi_min <= offered_max) return {};
  const std::string update =
      offered_min > abi_max ? "update Tenon; the plugin is newer" : "update the plugin; Tenon is newer";
  return fail(Reason::ABI_MISMATCH,
              "[plugin] " + plugin.string() + ": no common ABI version: " + abi_facts(offered_min, offered_max),
              update);
}

std::string abi_facts(std::uint32_t offered_min, std::uint32_t offered_max) {
  return "it offers ABI " + range_text(offered_min, offered_max) + ", this Tenon " + std::string(version()) +
         " accepts ABI " + range_text(abi_min, abi_max);
}

}  // namespace tenon::host
