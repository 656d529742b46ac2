#include <fmt/format.h>

#include <set>

#include "explain.h"
#include "table.h"
#include "tenon/capsule_text.h"
#include "tenon/operation_text.h"

namespace tenon::cli {
namespace {

std::string plugin_words(const LoadedPlugin& plugin) {
  return fmt::format("{} {} ({})", plugin.id(), plugin.version(),
                     plugin.candidate().manifest.library.filename().string());
}

std::string rejection_words(const Rejection& r) {
  const ReasonInfo& row = info(r.reason);
  return fmt::format("{}: {}, {}{}", r.capsule, row.name, row.meaning, r.detail.empty() ? "" : " (" + r.detail + ")");
}

std::string choice_lines(const ExplainedOperation& operation) {
  const Choice& choice = operation.choice;
  std::string out;
  if (choice.capsule == nullptr) {
    out += fmt::format("      no capsule for {}\n", to_string(operation.request));
  } else {
    const tenon_capsule& capsule = *choice.capsule;
    out += fmt::format("      capsule   {}, {}\n", capsule.name, choice.why);
    out += fmt::format("      plugin    {}, provider {}, {}\n", plugin_words(*choice.plugin), capsule.provider,
                       trust_text(capsule.trust));
    out += fmt::format("      numerics  {}\n", numerics_text(*capsule.numerics));
  }
  for (const Rejection& r : choice.rejected) out += fmt::format("      rejected  {}\n", rejection_words(r));
  if (choice.capsule == nullptr && choice.rejected.empty())
    out += "      no plugin brings a capsule of this operation\n";
  return out;
}

std::string part_text(const ExplainedPart& part) {
  std::string out = fmt::format("{} ({})\n", part.name, name(part.mode));
  for (const ExplainedOperation& operation : part.operations) {
    out += "  " + operation_text(operation.node, part.recorded.graph.types()) + "\n";
    out += choice_lines(operation);
  }
  return out + fmt::format("  result %{}\n", part.recorded.result);
}

std::string summary(const Explained& explained) {
  std::size_t operations = 0, gaps = 0;
  std::set<std::string_view> capsules;
  for (const ExplainedPart& part : explained.parts)
    for (const ExplainedOperation& operation : part.operations) {
      ++operations;
      if (operation.choice.capsule == nullptr)
        ++gaps;
      else
        capsules.insert(operation.choice.capsule->name);
    }
  const std::string lacking = gaps == 0 ? "" : fmt::format("; {} without a capsule", gaps);
  return fmt::format("{}: {} served by {}{}\n", counted(operations, "operation"), operations - gaps,
                     counted(capsules.size(), "capsule"), lacking);
}

}  // namespace

std::string to_text(const Explained& explained) {
  std::string out =
      fmt::format("program {} on {}, real numbers as {}\n", explained.program, explained.device, name(explained.real));
  for (const std::string& leaf : explained.leaves) out += "  " + leaf + "\n";
  for (const ExplainedPart& part : explained.parts) out += part_text(part);
  return out + summary(explained);
}

}  // namespace tenon::cli
