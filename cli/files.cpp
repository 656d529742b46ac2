#include "files.h"

#include "tenon/atomic_file.h"
#include "tenon/flags.h"

namespace tenon::cli {

namespace {

/// Also where there is none yet, and however they are spelled.
bool is_one_file(const std::filesystem::path& a, const std::filesystem::path& b) {
  std::error_code failed;
  if (std::filesystem::equivalent(a, b, failed) && !failed) return true;
  const auto first = written_path(a), second = written_path(b);
  return first && second && *first == *second;
}

}  // namespace

result<void> check_writable(const std::filesystem::path& path) {
  TENON_CHECK(AtomicFile::create(path));
  return {};
}

result<void> check_distinct(std::string_view output_flag, const std::filesystem::path& output,
                            std::string_view input_flag, const std::filesystem::path& input) {
  if (!is_one_file(output, input)) return {};
  return fail(usage_error(std::string(output_flag) + ": found " + output.string() + ", which is the file of " +
                              std::string(input_flag) + ", expected another one",
                          "choose another file for " + std::string(output_flag)));
}

result<void> check_trace(const std::string& trace, std::initializer_list<FlagFile> others) {
  for (const auto& [flag, file] : others)
    if (!trace.empty() && file) TENON_CHECK(check_distinct("--trace", trace, flag, *file));
  return {};
}

}  // namespace tenon::cli
