#include "explain.h"

namespace tenon::cli {
namespace {

struct ExplainArguments : ProgramChoice, OperationChoice {
  bool forward_only = false, json = false;
};

std::vector<Setting<ExplainArguments>> explain_rows() {
  std::vector<Setting<ExplainArguments>> out = program_settings<ExplainArguments>();
  out.push_back(
      {{.name = "--forward-only", .metavar = {}, .expected = {}, .help = "leave out the loss and its gradient"},
       set_true<&ExplainArguments::forward_only>});
  for (auto& row : operation_settings<ExplainArguments>()) out.push_back(std::move(row));
  out.push_back({{.name = "--json", .metavar = {}, .expected = {}, .help = "for programs to read"},
                 set_true<&ExplainArguments::json>});
  return out;
}

const std::vector<Setting<ExplainArguments>>& explain_settings() {
  static const std::vector<Setting<ExplainArguments>> all = explain_rows();
  return all;
}

/// A program and an operation by itself have flags of their own.
result<void> check_apart(const ExplainArguments& own, std::span<const std::string> words) {
  const bool asks_for_operation = own.row != nullptr;
  if (asks_for_operation && !words.empty())
    return fail(usage_error("--op: found the operation " + std::string(own.row->name) + " and \"" +
                                shown(words.front()) + "\", expected one of them",
                            "leave one out"));
  if (asks_for_operation && (!static_cast<const ProgramChoice&>(own).empty() || own.forward_only))
    return fail(usage_error(
        "--extent, --load, --data, --label, --hidden and --forward-only: found one of them with --op, expected them "
        "with a MODEL only",
        "leave them out; --shape says the extents of an operation"));
  if (!asks_for_operation && !static_cast<const OperationChoice&>(own).empty())
    return fail(usage_error(
        "--shape, --attribute and --training: found one of them without --op, expected them with it", "add --op NAME"));
  return {};
}

result<Output> run_explain(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<ExplainArguments>(args, explain_settings(), planning_flags()));
  const ExplainArguments& own = arguments.own;
  TENON_CHECK(check_apart(own, arguments.words));
  TENON_TRY(const Explained explained,
            own.row != nullptr ? explain_operation(own, arguments.exec)
                               : explain_program(arguments.words, own, {.forward = true, .training = !own.forward_only},
                                                 arguments.exec));
  Output output(own.json ? to_json(explained) : to_text(explained));
  output.error = gaps_of(explained);
  return output;
}

}  // namespace

const Command explain_command{"explain",
                              "MODEL|FILE.tenon|--op NAME",
                              "show which kernel would serve each operation, and why",
                              [] { return table_of<ExplainArguments>(explain_settings()); },
                              planning_flags,
                              run_explain};

}  // namespace tenon::cli
