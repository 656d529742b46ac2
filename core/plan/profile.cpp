#include "tenon/profile.h"

#include <fmt/format.h>

#include <algorithm>

#include "figures.h"
#include "json_text.h"

namespace tenon {
namespace {

using Row = Profile::Row;
using Words = std::vector<std::string>;

constexpr const char* unknown = "-";

double per(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

std::string share_text(std::uint64_t part_ns, std::uint64_t all_ns) {
  return fmt::format("{:.1f} %", 100 * per(part_ns, all_ns));
}

/// Bytes or operations in a nanosecond are thousands of millions in a second.
std::string rate_text(std::uint64_t amount, std::uint64_t ns, bool is_known) {
  return is_known && ns > 0 ? number_text(per(amount, ns)) : unknown;
}

Words words(const Row& row, std::uint64_t all_ns) {
  if (row.calls == 0) return {row.name, "0", unknown, unknown, unknown, unknown, unknown, unknown};
  return {row.name,
          std::to_string(row.calls),
          time_text(static_cast<double>(row.total_ns)),
          time_text(per(row.total_ns, row.calls)),
          share_text(row.total_ns, all_ns),
          row.knows_bytes ? bytes_text(per(row.bytes, row.calls)) : unknown,
          rate_text(row.bytes, row.total_ns, row.knows_bytes),
          rate_text(row.flops, row.total_ns, row.knows_flops)};
}

std::string or_null(std::uint64_t amount, bool is_known) { return is_known ? std::to_string(amount) : "null"; }

std::string json(std::string_view event, std::string_view key, const Row& row) {
  return json_object({{"event", json_string(event)},
                      {key, json_string(row.name)},
                      {"calls", std::to_string(row.calls)},
                      {"total_ns", std::to_string(row.total_ns)},
                      {"bytes", or_null(row.bytes, row.knows_bytes)},
                      {"flops", or_null(row.flops, row.knows_flops)}}) +
         "\n";
}

std::uint64_t sum(std::span<const Row> rows, std::uint64_t Row::*field) {
  std::uint64_t total = 0;
  for (const Row& row : rows) total += row.*field;
  return total;
}

}  // namespace

void Profile::first_launch(const Kernel& kernel, std::uint32_t) {
  const tenon_kernel& figures = kernel.prepared();
  const auto [known, is_new] = row_of_capsule_.emplace(kernel.choice().capsule->name, rows_.size());
  if (is_new) rows_.push_back({.name = known->first});
  row_of_kernel_.push_back(known->second);
  figures_.push_back({figures.bytes_read + figures.bytes_written, figures.flops});
}

void Profile::add(Row& row, TimeSpan when) {
  ++row.calls;
  row.total_ns += when.duration_ns();
  if (when.begin_ns >= begin_ns_) inside_ns_ += when.duration_ns();
}

void Profile::launched(std::uint32_t kernel, TimeSpan when) {
  Row& row = rows_[row_of_kernel_[kernel]];
  const Figures& figures = figures_[kernel];
  add(row, when);
  row.bytes += figures.bytes;
  row.flops += figures.flops;
  row.knows_bytes = row.knows_bytes && figures.bytes > 0;
  row.knows_flops = row.knows_flops && figures.flops > 0;
}

void Profile::copied(CopyKind kind, std::uint64_t bytes, TimeSpan when) {
  Row& row = copies_[static_cast<std::size_t>(kind)];
  add(row, when);
  row.bytes += bytes;
}

void Profile::entered(std::uint64_t at_ns, std::size_t depth) {
  if (depth > 0) return;
  begin_ns_ = at_ns;
  inside_ns_ = 0;
}

void Profile::passed(std::string_view, TimeSpan when, std::size_t depth) {
  if (depth == 0) host_ns_ += when.duration_ns() - std::min(inside_ns_, when.duration_ns());
}

std::uint64_t Profile::kernels_ns() const { return sum(rows_, &Row::total_ns); }
std::uint64_t Profile::copies_ns() const { return sum(copies_, &Row::total_ns); }
std::uint64_t Profile::calls() const { return sum(rows_, &Row::calls); }

std::vector<Row> Profile::by_total() const {
  std::vector<Row> rows = rows_;
  std::ranges::stable_sort(rows, std::greater(), &Row::total_ns);
  return rows;
}

std::string Profile::text(const RunFacts& facts) const {
  std::vector<Words> table{{"capsule", "calls", "total", "mean", "share", "bytes/call", "GB/s", "GFLOP/s"}};
  for (const Row& row : by_total()) table.push_back(words(row, all_ns()));
  for (const Row& row : copies_)
    if (row.calls > 0) table.push_back(words(row, all_ns()));
  table.push_back(
      {"host, outside of these", "", time_text(static_cast<double>(host_ns_)), "", share_text(host_ns_, all_ns())});
  table.push_back({"all", "", time_text(static_cast<double>(all_ns())), "", share_text(all_ns(), all_ns())});
  return fmt::format("profile: {} launches of {} capsules on {}{}\ntimes: {}\n{}peak device memory: {} ({} bytes)\n",
                     calls(), rows_.size(), device_, facts.complete ? "" : ", until the run failed",
                     meaning(facts.times), figure_table(table), bytes_text(static_cast<double>(facts.peak_bytes)),
                     facts.peak_bytes);
}

std::string Profile::json(const RunFacts& facts) const {
  std::string out;
  for (const Row& row : by_total()) out += tenon::json("profile_capsule", "capsule", row);
  for (const Row& row : copies_) out += tenon::json("profile_copies", "copies", row);
  return out +
         json_object({{"event", json_string("profile")},
                      {"device", json_string(device_)},
                      {"complete", facts.complete ? "true" : "false"},
                      {"times", json_string(meaning(facts.times))},
                      {"capsules", std::to_string(rows_.size())},
                      {"calls", std::to_string(calls())},
                      {"kernels_ns", std::to_string(kernels_ns())},
                      {"copies_ns", std::to_string(copies_ns())},
                      {"host_ns", std::to_string(host_ns_)},
                      {"peak_bytes", std::to_string(facts.peak_bytes)}}) +
         "\n";
}

void Profile::print(const RunFacts& facts) {
  const std::string page = form_ == ReportForm::json ? json(facts) : text(facts);
  std::fwrite(page.data(), 1, page.size(), out_);
}

}  // namespace tenon
