#include <fmt/format.h>

#include "command.h"
#include "table.h"
#include "tenon/version.h"

namespace tenon::cli {

std::string global_help() {
  std::string out = fmt::format("tenon {}: tensor programs on devices that are plug-ins\n\n", version());
  out += "usage: tenon COMMAND [flags]\n\ncommands\n";
  std::vector<std::vector<std::string>> rows;
  for (const Command* command : commands())
    rows.push_back({fmt::format("{} {}", command->name, command->words), std::string(command->summary)});
  out += indented(aligned(rows), 2);
  return out + "\n`tenon COMMAND --help` lists a command's flags; `tenon --version` prints the version.\n";
}

std::string help(const Command& command) {
  std::string out = fmt::format("tenon {}: {}\n\nusage: tenon {}", command.name, command.summary, command.name);
  if (!command.words.empty()) out += fmt::format(" {}", command.words);
  out += " [flags]\n";
  if (const FlagTable own = command.own_flags(); !own.empty()) out += "\nflags\n" + help_text(own);
  if (const FlagTable exec = command.exec_flags(); !exec.empty()) out += "\nexecution flags\n" + help_text(exec);
  return out + "\nA name in [brackets] is the environment variable that counts where the flag is not given.\n";
}

}  // namespace tenon::cli
