#include "dot.h"

#include <fmt/format.h>

#include <algorithm>

#include "tenon/attributes_text.h"
#include "tenon/operation_text.h"

namespace tenon::cli {
namespace {

/// Between double quotes; a line ends where the text has one. Graphviz takes & for the begin of an entity.
std::string dot_text(std::string_view text) {
  std::string out = "\"";
  for (const char c : text) {
    if (c == '"' || c == '\\') out += '\\';
    if (c == '\n')
      out += "\\n";
    else if (c == '&')
      out += "&amp;";
    else
      out += c;
  }
  return out + "\"";
}

struct Style {
  std::string_view shape, fill, line;
};

constexpr Style operation_style{"box", "#eef3fb", "#4a6fa5"};
constexpr Style gap_style{"box", "#ffd9d6", "#c0271b"};
constexpr Style parameter_style{"note", "#fdf3d8", "#a98a2d"};
constexpr Style state_style{"cylinder", "#f0e6f7", "#7d4fa0"};
constexpr Style input_style{"ellipse", "#e3f4e3", "#3d8b40"};

const Style& style_of(const ExplainedLeaf& leaf) {
  if (leaf.word == "state") return state_style;
  return leaf.word == "input" || leaf.word == "natural" ? input_style : parameter_style;
}

/// Graphviz's own names, "v7" for value 7, so that no name of the program's needs to be one.
std::string node_line(std::uint32_t id, const std::string& label, const Style& style) {
  return fmt::format("v{} [label={}, shape={}, fillcolor=\"{}\", color=\"{}\"];\n", id, dot_text(label), style.shape,
                     style.fill, style.line);
}

class DotWriter {
 public:
  DotWriter(const Explained& explained, const ExplainedPart& part)
      : explained_(explained), part_(part), graph_(part.recorded.graph) {}

  std::string text() {
    std::string out = fmt::format(
        "digraph {} {{\n"
        "  graph [label={}, labelloc=t, fontname=\"Helvetica\", fontsize=14, ranksep=0.35, nodesep=0.25];\n"
        "  node [style=\"filled,rounded\", fontname=\"Helvetica\", fontsize=10, margin=\"0.12,0.06\"];\n"
        "  edge [color=\"#555555\", arrowsize=0.6, fontname=\"Helvetica\", fontsize=9];\n",
        dot_text(explained_.name), dot_text(title()));
    out += leaves();
    out += cluster("forward", is_differentiated() ? "forward and loss" : "forward", false);
    if (is_differentiated()) out += cluster("gradient", "gradient", true);
    out += edges() + updates();
    return out + "}\n";
  }

 private:
  std::string title() const {
    return fmt::format("{} {} on {}, {}, real numbers as {}", explained_.kind, explained_.name,
                       explained_.selection.device, part_.name, name(explained_.selection.real));
  }

  bool is_gradient(const Node& node) const {
    return part_.mode == GradientMode::training && node.output > part_.recorded.result;
  }
  bool is_differentiated() const {
    return std::ranges::any_of(graph_.nodes(), [&](const Node& n) { return is_gradient(n); });
  }

  bool is_used(std::uint32_t leaf) const {
    const auto takes = [&](const Node& node) {
      return std::ranges::find(node.operands(), leaf) != node.operands().end();
    };
    const auto updates = [&](const Graph::StateUpdate& update) { return update.state == leaf; };
    return std::ranges::any_of(graph_.nodes(), takes) || std::ranges::any_of(graph_.state_updates(), updates);
  }

  std::string leaves() const {
    std::string out;
    for (std::uint32_t id = 0; id < explained_.leaves.size(); ++id)
      if (is_used(id)) out += "  " + leaf_line(id);
    return out;
  }

  std::string leaf_line(std::uint32_t id) const {
    const ExplainedLeaf& leaf = explained_.leaves[id];
    const std::string dtype(leaf.word == "natural" ? "u32" : name(explained_.selection.real));
    return node_line(id, fmt::format("%{} {}\n{}\n{} {}", id, leaf.word, leaf.name, dtype, to_string(leaf.shape)),
                     style_of(leaf));
  }

  /// Its name stands below: lines come in from above.
  std::string cluster(std::string_view id, std::string_view label, bool gradient) const {
    std::string out = fmt::format(
        "  subgraph cluster_{} {{\n"
        "    graph [label={}, labelloc=b, labeljust=l, style=rounded, color=\"#bbbbbb\", fontsize=12];\n",
        id, dot_text(label));
    for (const ExplainedOperation& operation : part_.operations) {
      if (is_gradient(operation.node) != gradient) continue;
      out += "    " + operation_line(operation);
      if (gradient) out += references(operation.node);
    }
    return out + "  }\n";
  }

  std::string operation_line(const ExplainedOperation& operation) const {
    const Node& node = operation.node;
    const tenon_capsule* capsule = operation.choice.capsule;
    const std::string attributes = differences(node.attributes, spec(node.op).defaults);
    std::string label = fmt::format("%{} {}", node.output, name(node.op));
    if (!attributes.empty()) label += "\n" + attributes;
    for (const TensorType& output : operation.request.outputs)
      label += fmt::format("\n{} {}", name(output.dtype), to_string(output.shape));
    label += "\n" + (capsule != nullptr ? std::string(capsule->name) : "no capsule");
    return node_line(node.output, label, capsule != nullptr ? operation_style : gap_style);
  }

  /// The value's maker: results after the first belong to the same node.
  std::uint32_t maker_of(std::uint32_t value) const {
    if (value < explained_.leaves.size()) return value;
    const auto nodes = graph_.nodes();
    const auto after = std::ranges::upper_bound(nodes, value, {}, &Node::output);
    return std::prev(after)->output;
  }

  bool is_from_forward(const Node& node, std::uint32_t operand) const {
    return is_gradient(node) && operand <= part_.recorded.result;
  }

  std::string value_name(std::uint32_t value) const {
    if (value < explained_.leaves.size()) return explained_.leaves[value].name;
    const auto made = std::ranges::find(graph_.nodes(), maker_of(value), &Node::output);
    return std::string(name(made->op));
  }

  /// What a gradient takes from the forward function is named beside it: lines from there would cover the picture.
  std::string references(const Node& node) const {
    std::string out;
    for (const std::uint32_t operand : node.operands())
      if (is_from_forward(node, operand))
        out += fmt::format("    r{0}_{1} [label={2}, shape=plaintext, style=\"\", fontcolor=\"#777777\", margin=0];\n",
                           node.output, operand, dot_text(fmt::format("%{} {}", operand, value_name(operand))));
    return out;
  }

  std::string edges() const {
    std::string out;
    for (const Node& node : graph_.nodes())
      for (const std::uint32_t operand : node.operands())
        out += is_from_forward(node, operand)
                   ? fmt::format("  r{0}_{1} -> v{0} [style=dashed, color=\"#9a9a9a\"];\n", node.output, operand)
                   : fmt::format("  v{} -> v{};\n", maker_of(operand), node.output);
    return out;
  }

  std::string updates() const {
    std::string out;
    for (const Graph::StateUpdate& update : graph_.state_updates())
      out += fmt::format("  v{} -> v{} [style=bold, color=\"{}\", label=\"new value\", constraint=false];\n",
                         maker_of(update.value), update.state, state_style.line);
    return out;
  }

  const Explained& explained_;
  const ExplainedPart& part_;
  const Graph& graph_;
};

}  // namespace

std::string to_dot(const Explained& explained, const ExplainedPart& part) { return DotWriter(explained, part).text(); }

}  // namespace tenon::cli
