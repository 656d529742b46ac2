#include "tenon/contain.h"
#include "tenon/graph.h"
#include "tenon/operation_text.h"

namespace tenon {
namespace {

constexpr std::string_view leaf_word = "leaf";

/// Reads a graph line by line; the values' labels need not be their numbers.
class GraphParser {
 public:
  result<void> take(LineScanner line) {
    if (line.accept_word(update_word)) return take_update(line);
    TENON_TRY(const std::vector<std::string_view> results, parse_results(line));
    if (line.accept_word(leaf_word)) return take_leaf(line, results);
    TENON_TRY(const OperationText operation, parse_operation(line));
    return take_operation(operation, results);
  }

  Graph graph() && { return std::move(graph_); }

 private:
  result<void> take_leaf(LineScanner& line, std::span<const std::string_view> results) {
    for (const char mark : {'(', ')', ':'}) TENON_CHECK(line.expect(mark, "leaf"));
    TENON_TRY(const OperandType type, parse_type(line));
    TENON_CHECK(line.expect_end());
    if (results.size() != 1) return line.refuse("after a leaf's type", "one result for a leaf");
    const Value value = graph_.leaf(type);
    TENON_CHECK(graph_.status());
    return labels_.define(results.front(), value.id);
  }

  result<void> take_operation(const OperationText& operation, std::span<const std::string_view> results) {
    TENON_CHECK(check_counts(operation, results.size()));
    std::vector<Value> operands;
    for (const std::string_view label : operation.operands) {
      TENON_TRY(const std::uint32_t id, labels_.find(label));
      operands.push_back({&graph_, id});
    }
    const Value first = graph_.record(operation.row->op, operands, operation.attributes);
    TENON_CHECK(graph_.status());
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      if (!operation.types.empty()) TENON_CHECK(check_type(operation, i, results[i], first.id + i));
      TENON_CHECK(labels_.define(results[i], first.id + i));
    }
    return {};
  }

  /// A graph's types are what its operations give: a line may state no other, nor less.
  result<void> check_type(const OperationText& operation, std::size_t i, std::string_view label, std::uint32_t id) {
    const Shape given = graph_.types()[id].shape;
    TENON_TRY(const Shape agreed, agreed_type(*operation.row, label, operation.types[i], given));
    if (agreed == given) return {};
    return fail(Reason::SHAPE_MISMATCH, "type: found " + to_string(operation.types[i].shape) + ", expected " +
                                            to_string(given) + ", which is all that " +
                                            std::string(operation.row->name) + " tells");
  }

  result<void> take_update(LineScanner& line) {
    TENON_TRY(const UpdateText operands, parse_update(line));
    TENON_TRY(const std::uint32_t state, labels_.find(operands.state));
    TENON_TRY(const std::uint32_t value, labels_.find(operands.value));
    graph_.update_state({&graph_, state}, {&graph_, value});
    return graph_.status();
  }

  Graph graph_;
  Labels labels_;
};

}  // namespace

std::string to_string(const Graph& graph) {
  std::string out;
  auto node = graph.nodes().begin();
  for (std::uint32_t id = 0; id < graph.types().size();) {
    if (node != graph.nodes().end() && node->output == id) {
      id += static_cast<std::uint32_t>(spec(node->op).output_count());
      out.append(operation_text(*node++, graph.types()));
    } else {
      out.append("%").append(std::to_string(id)).append(" = leaf() : ").append(type_text(graph.types()[id]));
      ++id;
    }
    out += '\n';
  }
  for (const Graph::StateUpdate& update : graph.state_updates())
    out.append(update_text(update.state, update.value)).append("\n");
  return out;
}

result<Graph> parse_graph(std::string_view text) {
  return contained("graph", [&]() -> result<Graph> {
    GraphParser parser;
    for (const NumberedLine& line : lines_of(text))
      if (auto taken = parser.take(LineScanner(line.text)); !taken)
        return fail(at_line(std::move(taken).error(), "[graph]", line));
    return std::move(parser).graph();
  });
}

}  // namespace tenon
