// Device memory: handles, sizes, offsets, copies and fills.
#include <algorithm>
#include <array>

#include "check.h"

namespace tenon::check {
namespace {

constexpr auto odd_sizes = std::to_array<std::uint64_t>({1, 3, 64, 4097});

std::string bytes_text(std::uint64_t bytes) { return std::to_string(bytes) + " bytes"; }

Verdict round_trip(const Lane& lane, std::uint64_t bytes) {
  const Bytes sent = pattern_bytes(bytes, 7);
  TENON_SEEK(const Memory memory, lane.allocate(bytes));
  TENON_HOLDS(lane.write(memory.at(0), sent));
  TENON_SEEK(const Bytes got, lane.read(memory.at(0), bytes));
  return same_bytes(bytes_text(bytes) + " that were written and read back", got, sent);
}

Verdict sizes(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  for (const std::uint64_t bytes : odd_sizes) TENON_HOLDS(round_trip(*lane, bytes));
  return {};
}

Verdict said(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  for (const std::uint64_t bytes : odd_sizes) {
    TENON_SEEK(const Memory memory, lane->allocate(bytes));
    if (memory.said().bytes < bytes)
      return wrong("memory of " + bytes_text(bytes) + " says that it has " + std::to_string(memory.said().bytes),
                   "what was asked for, or more");
    if (reinterpret_cast<std::uintptr_t>(memory.said().host) % lane->alignment_bytes() != 0)
      return wrong("the host's address of " + bytes_text(bytes) + " is not aligned",
                   "to the " + bytes_text(lane->alignment_bytes()) + " that were asked for");
  }
  return {};
}

Verdict handles(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  std::vector<Memory> alive;
  std::vector<std::uint64_t> seen;
  for (int i = 0; i < 64; ++i) {
    TENON_SEEK(alive.emplace_back(), lane->allocate(odd_sizes[static_cast<std::size_t>(i) % odd_sizes.size()]));
    seen.push_back(alive.back().said().memory);
  }
  std::ranges::sort(seen);
  const auto twice = std::ranges::adjacent_find(seen);
  if (twice == seen.end()) return {};
  return wrong("two pieces that live at once have the handle " + std::to_string(*twice), "handles that differ");
}

/// Each piece keeps its own while others come and go.
Verdict neighbours(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  constexpr std::uint64_t bytes = 4097;
  std::vector<Memory> pieces;
  for (unsigned i = 0; i < 16; ++i) {
    TENON_SEEK(pieces.emplace_back(), lane->allocate(bytes));
    TENON_HOLDS(lane->write(pieces.back().at(0), pattern_bytes(bytes, i)));
  }
  for (std::size_t i = 1; i < pieces.size(); i += 2) {
    pieces[i] = Memory();
    TENON_SEEK(pieces[i], lane->allocate(64));
    TENON_HOLDS(lane->write(pieces[i].at(0), pattern_bytes(64, 99)));
  }
  for (unsigned i = 0; i < 16; i += 2) {
    TENON_SEEK(const Bytes got, lane->read(pieces[i].at(0), bytes));
    TENON_HOLDS(same_bytes("memory whose neighbours came and went", got, pattern_bytes(bytes, i)));
  }
  return {};
}

/// What stands beside the part that is written must stay.
Verdict offsets(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const std::size_t step = lane->offset_bytes();
  Bytes expected = pattern_bytes(512, 1);
  TENON_SEEK(const Memory memory, lane->allocate(expected.size()));
  TENON_HOLDS(lane->write(memory.at(0), expected));
  for (const std::size_t place : std::to_array<std::size_t>({1, 3, 17})) {
    const Bytes sent = pattern_bytes(5 * place, static_cast<unsigned>(place));
    std::ranges::copy(sent, expected.begin() + static_cast<std::ptrdiff_t>(place * step));
    TENON_HOLDS(lane->write(memory.at(place * step), sent));
  }
  TENON_SEEK(const Bytes all, lane->read(memory.at(0), expected.size()));
  TENON_HOLDS(same_bytes("memory that was written at offsets", all, expected));
  TENON_SEEK(const Bytes part, lane->read(memory.at(3 * step), 21));
  return same_bytes("memory that was read at an offset", part, std::span(expected).subspan(3 * step, 21));
}

Verdict copies(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const std::size_t step = lane->offset_bytes();
  const Bytes from = pattern_bytes(4097, 1);
  Bytes expected = pattern_bytes(4097, 2);
  TENON_SEEK(const Memory source, lane->allocate(from.size()));
  TENON_SEEK(const Memory target, lane->allocate(expected.size()));
  TENON_HOLDS(lane->write(source.at(0), from));
  TENON_HOLDS(lane->write(target.at(0), expected));
  for (const std::size_t bytes : std::to_array<std::size_t>({1, 3, 64, 1001})) {
    const std::size_t here = bytes % 7 * step, there = 2 * bytes / 3 * step;
    std::copy_n(from.begin() + static_cast<std::ptrdiff_t>(here), bytes,
                expected.begin() + static_cast<std::ptrdiff_t>(there));
    TENON_HOLDS(lane->copy(target.at(there), source.at(here), bytes));
  }
  TENON_SEEK(const Bytes got, lane->read(target.at(0), expected.size()));
  TENON_HOLDS(same_bytes("memory that was copied into", got, expected));
  TENON_SEEK(const Bytes kept, lane->read(source.at(0), from.size()));
  return same_bytes("memory that was copied from", kept, from);
}

Verdict fills(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  for (const std::size_t pattern : std::to_array<std::size_t>({1, 2, 4, 8})) {
    Bytes expected = pattern_bytes(512, 1);
    TENON_SEEK(const Memory memory, lane->allocate(expected.size()));
    TENON_HOLDS(lane->write(memory.at(0), expected));
    const Bytes word = pattern_bytes(pattern, 5);
    for (std::size_t i = 0; i < 240; ++i) expected[64 + i] = word[i % pattern];
    TENON_HOLDS(lane->fill(memory.at(64), word, 240));
    TENON_SEEK(const Bytes got, lane->read(memory.at(0), expected.size()));
    TENON_HOLDS(same_bytes("memory filled by a pattern of " + bytes_text(pattern), got, expected));
  }
  return {};
}

/// A tensor without elements has no memory.
Verdict nothing(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const Bytes expected = pattern_bytes(64, 1);
  TENON_SEEK(const Memory memory, lane->allocate(64));
  TENON_HOLDS(lane->write(memory.at(0), expected));
  for (const tenon_ref ref : {memory.at(0), tenon_ref{}}) {
    TENON_HOLDS(lane->copy(ref, ref, 0));
    TENON_HOLDS(lane->write(ref, {}));
    TENON_SEEK(const Bytes none, lane->read(ref, 0));
    TENON_HOLDS(lane->fill(ref, pattern_bytes(4, 1), 0));
  }
  TENON_SEEK(const Bytes got, lane->read(memory.at(0), 64));
  return same_bytes("memory that nothing was copied into", got, expected);
}

Verdict no_bytes(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  tenon_memory memory{};
  memory.size = sizeof memory;
  constexpr std::string_view slot = "memory_alloc of 0 bytes";
  TENON_SEEK(const std::int32_t status, status_of(slot, [&] {
               return lane->call().memory_alloc(lane->device(), 0, lane->alignment_bytes(), TENON_MEMORY_DEVICE,
                                                &memory);
             }));
  if (status != TENON_OK) return is_worded_error(slot, status);
  const Memory frees(lane->call(), lane->device(), memory);
  if (memory.memory != 0) return {};
  return wrong("memory_alloc of 0 bytes gave the handle 0", "a handle that is not 0, or an error with a word");
}

Verdict too_large(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  for (const std::uint64_t bytes : {std::uint64_t{1} << 50, std::uint64_t{1} << 62, ~std::uint64_t{0}}) {
    tenon_memory memory{};
    memory.size = sizeof memory;
    const std::string slot = "memory_alloc of " + bytes_text(bytes);
    TENON_SEEK(const std::int32_t status, status_of(slot, [&] {
                 return lane->call().memory_alloc(lane->device(), bytes, lane->alignment_bytes(), TENON_MEMORY_DEVICE,
                                                  &memory);
               }));
    if (status != TENON_ERROR_OUT_OF_MEMORY) return is_status(slot, status, TENON_ERROR_OUT_OF_MEMORY);
    TENON_HOLDS(is_worded_error(slot, status));
  }
  return round_trip(*lane, 4097);
}

Verdict info(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  std::uint64_t free_bytes = 0, total_bytes = 0;
  TENON_HOLDS(
      succeeds("memory_info", [&] { return lane->call().memory_info(lane->device(), &free_bytes, &total_bytes); }));
  if (total_bytes > 0 && free_bytes <= total_bytes) return {};
  return wrong("memory_info says " + std::to_string(free_bytes) + " of " + bytes_text(total_bytes) + " are free",
               "a total, and no more free than that");
}

Verdict trim(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const Bytes sent = pattern_bytes(4097, 3);
  TENON_SEEK(const Memory memory, lane->allocate(sent.size()));
  TENON_HOLDS(lane->write(memory.at(0), sent));
  TENON_HOLDS(succeeds("memory_trim", [&] { return lane->call().memory_trim(lane->device()); }));
  TENON_SEEK(const Bytes got, lane->read(memory.at(0), sent.size()));
  return same_bytes("memory that lives through memory_trim", got, sent);
}

Verdict host_address(Bench& bench) {
  TENON_SEEK(const Lane* const lane, own_lane(bench));
  const Bytes sent = pattern_bytes(4097, 3);
  TENON_SEEK(const Memory memory, lane->allocate(sent.size()));
  const auto* host = static_cast<const std::byte*>(memory.said().host);
  if (host == nullptr) return skipped("the host may not address the device's memory");
  TENON_HOLDS(lane->write(memory.at(0), sent));
  return same_bytes("what the host reads of written memory", {host, sent.size()}, sent);
}

constexpr auto of_memory = std::to_array<Check>({
    {"odd-sizes", "memory of 1, 3, 64 and 4097 bytes holds what is written into it", sizes},
    {"said", "memory has the size and the alignment that were asked for", said},
    {"handles", "pieces that live at once have handles of their own, never 0", handles},
    {"neighbours", "a piece keeps its content while others come and go", neighbours},
    {"offsets", "writes and reads at offsets touch their part alone", offsets},
    {"copies", "copies between pieces of any size move their part alone", copies},
    {"fills", "fills by patterns of 1, 2, 4 and 8 bytes write their part alone", fills},
    {"nothing", "copies and fills of 0 bytes do nothing, also without memory", nothing},
    {"no-bytes", "an allocation of 0 bytes gives a handle, or an error with a word", no_bytes},
    {"too-large", "an allocation beyond all bounds is out of memory, and the device works on", too_large},
    {"info", "memory_info knows what is free of how much", info},
    {"trim", "memory_trim leaves memory that lives alone", trim},
    {"host-address", "where the host may read memory, it finds there what the device has", host_address},
});

}  // namespace

std::span<const Check> memory_checks() { return of_memory; }

}  // namespace tenon::check
