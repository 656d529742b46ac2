#include <algorithm>
#include <array>

#include "command.h"

namespace tenon::cli {

std::span<const Command* const> commands() {
  static constexpr std::array<const Command*, 10> all{
      &train_command,   &run_command,      &explain_command, &graph_command,      &devices_command,
      &plugins_command, &capsules_command, &models_command,  &new_plugin_command, &check_command};
  return all;
}

result<void> expect_no_words(std::span<const std::string> words) {
  if (words.empty()) return {};
  return fail(usage_error("unexpected argument: found \"" + shown(words.front()) + "\", expected a flag or nothing"));
}

FlagTable plugin_flags() { return {&ExecFlags::plugin_flag()}; }
FlagTable plugin_and_device_flags() { return {&ExecFlags::device_flag(), &ExecFlags::plugin_flag()}; }
FlagTable no_flags() { return {}; }

FlagTable planning_flags() {
  constexpr std::string_view of_a_run[] = {"--show-backend", "--profile", "--trace"};
  FlagTable out = ExecFlags::table();
  std::erase_if(out,
                [&](const FlagSpec* flag) { return std::ranges::find(of_a_run, flag->name) != std::end(of_a_run); });
  return out;
}

}  // namespace tenon::cli
