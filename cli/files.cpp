#include "files.h"

#include "tenon/atomic_file.h"
#include "tenon/flags.h"

namespace tenon::cli {

result<void> check_writable(const std::filesystem::path& path) {
  TENON_CHECK(AtomicFile::create(path));
  return {};
}

result<void> check_distinct(std::string_view output_flag, const std::filesystem::path& output,
                            std::string_view input_flag, const std::filesystem::path& input) {
  std::error_code failed;
  if (!std::filesystem::equivalent(output, input, failed) || failed) return {};
  return fail(usage_error(std::string(output_flag) + ": found " + output.string() + ", which is the file of " +
                              std::string(input_flag) + ", expected another one",
                          "choose another file for " + std::string(output_flag)));
}

}  // namespace tenon::cli
