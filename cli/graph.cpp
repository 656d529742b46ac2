#include <algorithm>

#include "dot.h"
#include "explain.h"
#include "files.h"
#include "graphviz.h"
#include "run.h"
#include "table.h"

namespace tenon::cli {
namespace {

struct GraphArguments : ProgramChoice {
  std::optional<std::string> svg, dot;
  bool training = false;
};

std::vector<Setting<GraphArguments>> graph_rows() {
  std::vector<Setting<GraphArguments>> out{
      {{.name = "--svg",
        .metavar = "FILE",
        .expected = "the file to write",
        .help = "draw the graph, with Graphviz's program dot"},
       set_text<&GraphArguments::svg>},
      {{.name = "--dot",
        .metavar = "FILE",
        .expected = "the file to write",
        .help = "write the graph in Graphviz's language"},
       set_text<&GraphArguments::dot>},
      {{.name = "--training", .metavar = {}, .expected = {}, .help = "the loss and its gradient instead of forward"},
       set_true<&GraphArguments::training>}};
  for (auto& row : program_settings<GraphArguments>()) out.push_back(std::move(row));
  return out;
}

const std::vector<Setting<GraphArguments>>& graph_settings() {
  static const std::vector<Setting<GraphArguments>> all = graph_rows();
  return all;
}

result<void> check_one_file(const GraphArguments& own) {
  if (own.svg.has_value() != own.dot.has_value()) return {};
  return fail(usage_error("--svg, --dot: found " + std::string(own.svg ? "both" : "neither") + ", expected one of them",
                          own.svg ? "leave one out" : "write --svg FILE"));
}

/// The picture must not take the place of what is drawn.
result<void> check_inputs_stay(const GraphArguments& own, std::span<const std::string> words) {
  const std::string_view flag = own.svg ? "--svg" : "--dot";
  const std::string& file = own.svg ? *own.svg : *own.dot;
  TENON_TRY(const bool is_program, names_program_file(words));
  if (is_program) TENON_CHECK(check_distinct(flag, file, "the program", words.front()));
  if (own.load) TENON_CHECK(check_distinct(flag, file, "--load", *own.load));
  if (own.data) TENON_CHECK(check_distinct(flag, file, "--data", *own.data));
  return {};
}

result<const ExplainedPart*> part_to_draw(const Explained& explained, bool training) {
  if (!explained.parts.empty()) return &explained.parts.front();
  return fail(Reason::INVALID_ARGUMENT,
              "[graph] program " + explained.name + " has no loss" + (training ? "" : " and no forward function"),
              "leave --training out");
}

/// "graph: 9 operations drawn to mlp.svg"
std::string summary(const ExplainedPart& part, const std::string& file, const std::string& device) {
  const auto gaps =
      std::ranges::count(part.operations, nullptr, [](const ExplainedOperation& o) { return o.choice.capsule; });
  const std::string lacking =
      std::to_string(gaps) + " of them red: without a capsule on " + device + ", `tenon explain` says why";
  return "graph: " + counted(part.operations.size(), "operation") + " drawn to " + file +
         (gaps == 0 ? "" : ", " + lacking) + "\n";
}

result<Output> run_graph(std::span<const std::string> args) {
  TENON_TRY(const auto arguments, parse_arguments<GraphArguments>(args, graph_settings(), planning_flags()));
  const GraphArguments& own = arguments.own;
  TENON_CHECK(check_one_file(own));
  TENON_CHECK(check_inputs_stay(own, arguments.words));
  const Parts parts{.forward = !own.training, .training = own.training};
  TENON_TRY(AtomicFile file, AtomicFile::create(own.svg ? *own.svg : *own.dot));
  TENON_TRY(const Explained explained, explain_program(arguments.words, own, parts, arguments.exec));
  TENON_TRY(const ExplainedPart* part, part_to_draw(explained, own.training));
  std::string text = to_dot(explained, *part);
  if (own.svg) {
    TENON_TRY(text, draw_svg(text));
  }
  TENON_CHECK(file.write(text));
  Output output(summary(*part, own.svg ? *own.svg : *own.dot, explained.selection.device));
  output.file.emplace(std::move(file));
  output.note = unopened_text(explained.selection);
  return output;
}

}  // namespace

const Command graph_command{"graph",
                            "MODEL|FILE.tenon",
                            "draw a program's operations and the kernels that serve them",
                            [] { return table_of<GraphArguments>(graph_settings()); },
                            planning_flags,
                            run_graph};

}  // namespace tenon::cli
