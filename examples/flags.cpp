// flags.cpp: Tenon's execution flags inside a program that has flags of its own. One pass over the command line, one
// list of errors, one help text; a row of data is the flag.
//
//   flags --times 3 --device cpu --seed 7 alpha beta
#include <array>
#include <iostream>

#include "tenon/tenon.h"

namespace {

using namespace tenon;

struct Own {
  std::uint64_t times = 1;
  bool loud = false;
};

const auto own_flags = std::to_array<Setting<Own>>({
    {{.name = "--times",
      .metavar = "N",
      .expected = "a whole number from 1 to 9",
      .help = "how often",
      .standard = "1"},
     [](Own& own, const GivenFlag& flag) -> result<void> {
       TENON_TRY(own.times, whole_number(flag, 1, 9));
       return {};
     }},
    {{.name = "--loud", .metavar = {}, .expected = {}, .help = "with an exclamation mark"},
     [](Own& own, const GivenFlag&) -> result<void> {
       own.loud = true;
       return {};
     }},
});

FlagTable all_flags() {
  FlagTable table = table_of<Own>(own_flags);
  const FlagTable execution = ExecFlags::table();
  table.insert(table.end(), execution.begin(), execution.end());
  return table;
}

result<void> run(const Args& args) {
  if (args == Args{"--help"}) {
    std::cout << help_text(all_flags());
    return {};
  }
  const ParsedFlags parsed = parse_flags(args, all_flags(), UnknownFlags::refuse);
  Own own;
  ExecFlags execution(parsed);
  for (const GivenFlag& flag : parsed.given) {
    TENON_TRY(const bool mine, apply<Own>(own_flags, flag, own));
    if (!mine) TENON_CHECK(execution.take(flag));
  }
  if (parsed.error) return fail(*parsed.error);
  TENON_TRY(const ExecConfig config, execution.finish());
  config.log();

  for (std::uint64_t i = 0; i < own.times; ++i)
    for (const std::string& word : parsed.rest) std::cout << word << (own.loud ? "!" : "") << "\n";
  std::cout << "would run on " << config.device << " with seed " << config.seed << ": " << to_string(config) << "\n";
  return {};
}

}  // namespace

int main(int argc, char** argv) { return exit_status(run({argv + 1, argv + argc})); }
