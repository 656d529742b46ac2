// abi_range.h: the ABI versions that this host accepts, and the words for those it does not. Plain functions.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>

#include "tenon/plugin.h"
#include "tenon/result.h"

namespace tenon::host {

/// Tables only grow and carry their size: an older version is a shorter table. So every version of plugin.h's list is
/// accepted.
inline constexpr std::uint32_t abi_min = TENON_ABI_OLDEST;
inline constexpr std::uint32_t abi_max = TENON_ABI;

/// ABI_MISMATCH if [offered_min, offered_max] and the host's range do not meet.
result<void> check_abi_range(const std::filesystem::path& plugin, std::uint32_t offered_min, std::uint32_t offered_max);

/// "1.1"
std::string abi_text(std::uint32_t abi);

/// "1.0 to 1.1"; of one version, "1.0".
std::string range_text(std::uint32_t low, std::uint32_t high);

/// "it offers ABI 2.0, this Tenon 0.1.0 accepts ABI 1.0 to 1.1": belongs to every refusal of a table.
std::string abi_facts(std::uint32_t offered_min, std::uint32_t offered_max);

}  // namespace tenon::host
