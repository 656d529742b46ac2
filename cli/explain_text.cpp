#include <fmt/format.h>

#include <set>

#include "explain.h"
#include "table.h"
#include "tenon/attributes_text.h"
#include "tenon/capsule_text.h"
#include "tenon/line_scanner.h"
#include "tenon/operation_text.h"

namespace tenon::cli {
namespace {

std::string plugin_words(const LoadedPlugin& plugin) {
  return fmt::format("{} {} ({})", plugin.id(), plugin.version(),
                     plugin.candidate().manifest.library.filename().string());
}

/// The candidates in catalogue order, the columns below each other.
std::string rejected_lines(const Choice& choice) {
  std::vector<std::vector<std::string>> rows;
  for (const Rejection& r : choice.rejected) {
    const ReasonInfo& row = info(r.reason);
    rows.push_back({rows.empty() ? "rejected" : "", r.capsule, std::string(row.name),
                    std::string(row.meaning) + (r.detail.empty() ? "" : " (" + one_line(r.detail) + ")")});
  }
  return indented(aligned(rows), 6);
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
  if (choice.capsule == nullptr && choice.rejected.empty())
    out += "      no plugin brings a capsule of this operation\n";
  return out + rejected_lines(choice);
}

std::string part_text(const ExplainedPart& part, bool has_choices) {
  std::string out = fmt::format("{} ({})\n", part.name, name(part.mode));
  for (const ExplainedOperation& operation : part.operations) {
    out += "  " + operation_text(operation.node, part.recorded.graph.types()) + "\n";
    if (has_choices) out += choice_lines(operation);
  }
  return out + fmt::format("  result %{}\n", part.recorded.result);
}

std::string modes_text(const Demand& demand) {
  if (demand.evaluation && demand.training) return "evaluation, training";
  return std::string(name(demand.training ? GradientMode::training : GradientMode::evaluation));
}

/// A vendor's list of things to do.
std::string demands_text(const Explained& explained) {
  std::vector<std::vector<std::string>> rows{{"times", "for", "operation"}};
  for (const Demand& demand : demands_of(explained)) {
    const std::string attributes = differences(demand.request->attributes, spec(demand.request->op).defaults);
    rows.push_back({std::to_string(demand.times), modes_text(demand),
                    to_string(*demand.request) + (attributes.empty() ? "" : " {" + attributes + "}")});
  }
  const std::string& device = explained.selection.device;
  return fmt::format("a plugin for {} would have to bring, with {} numerics\n{}", device.substr(0, device.find(':')),
                     explained.strict ? "strict" : "any", indented(aligned(rows), 2));
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
  const Selection& selection = explained.selection;
  std::string out = fmt::format("{} {} on {}, real numbers as {}\n", explained.kind, explained.name, selection.device,
                                name(selection.real));
  out += unopened_text(selection);
  for (std::size_t i = 0; i < explained.leaves.size(); ++i) out += "  " + leaf_text(explained.leaves[i], i) + "\n";
  for (const ExplainedPart& part : explained.parts) out += part_text(part, selection.registry.has_value());
  if (!selection.registry) out += demands_text(explained);
  return out + summary(explained);
}

std::string leaf_text(const ExplainedLeaf& leaf, std::size_t id) {
  return fmt::format("%{} = {} {} : {}", id, leaf.word, name_text(leaf.name), to_string(leaf.shape));
}

}  // namespace tenon::cli
