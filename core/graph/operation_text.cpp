#include "tenon/operation_text.h"

#include "tenon/attributes_text.h"
#include "tenon/text.h"

namespace tenon {
namespace {

std::string id_text(std::uint32_t id) { return "%" + std::to_string(id); }

std::string label_text(std::string_view label) { return "%" + excerpt(label, 60); }

tl::unexpected<Error> unknown_operation(LineScanner at, std::string_view word) {
  std::vector<std::string> names;
  for (const OpSpec& row : all_ops()) names.emplace_back(row.name);
  return at.refuse("unknown operation", "the name of an operation", did_you_mean(word, names));
}

result<std::vector<OperandType>> parse_types(LineScanner& line) {
  std::vector<OperandType> out;
  do {
    TENON_TRY(OperandType type, parse_type(line));
    out.push_back(type);
  } while (line.accept(','));
  return out;
}

result<void> expect_count(std::string_view what, std::size_t found, std::size_t expected) {
  if (found == expected) return {};
  return fail(Reason::FILE_MALFORMED,
              std::string(what) + ": found " + std::to_string(found) + ", expected " + std::to_string(expected));
}

}  // namespace

std::string type_text(const OperandType& type) {
  return (type.kind == Kind::natural ? "natural " : "") + to_string(type.shape);
}

std::string operation_text(const Node& node, std::span<const OperandType> types) {
  const OpSpec& row = spec(node.op);
  std::string results, stated, operands;
  for (std::uint32_t i = 0; i < row.output_count(); ++i) {
    const std::string_view comma = i == 0 ? "" : ", ";
    results.append(comma).append(id_text(node.output + i));
    stated.append(comma).append(type_text(types[node.output + i]));
  }
  for (const std::uint32_t id : node.operands()) operands.append(operands.empty() ? "" : ", ").append(id_text(id));
  const std::string attributes = differences(node.attributes, row.defaults);
  return results + " = " + std::string(row.name) + "(" + operands + ")" +
         (attributes.empty() ? "" : " {" + attributes + "}") + " : " + stated;
}

std::string update_text(std::uint32_t state, std::uint32_t value) {
  return std::string(update_word) + "(" + id_text(state) + ", " + id_text(value) + ")";
}

result<std::string_view> parse_label(LineScanner& line, std::string_view what) {
  LineScanner before = line;
  if (!line.accept('%')) return line.refuse(what, "a value such as %3");
  const std::string_view label = line.word();
  if (label.empty()) return before.refuse(what, "a value such as %3");
  return label;
}

result<std::vector<std::string_view>> parse_results(LineScanner& line) {
  std::vector<std::string_view> out;
  do {
    TENON_TRY(const std::string_view label, parse_label(line, "result"));
    out.push_back(label);
  } while (line.accept(','));
  TENON_CHECK(line.expect('=', "after a result"));
  return out;
}

result<std::vector<std::string_view>> parse_operands(LineScanner& line) {
  std::vector<std::string_view> out;
  TENON_CHECK(line.expect('(', "operands"));
  if (line.accept(')')) return out;
  do {
    TENON_TRY(const std::string_view label, parse_label(line, "operand"));
    out.push_back(label);
  } while (line.accept(','));
  TENON_CHECK(line.expect(')', "after an operand"));
  return out;
}

result<UpdateText> parse_update(LineScanner& line) {
  TENON_TRY(const std::vector<std::string_view> operands, parse_operands(line));
  TENON_CHECK(line.expect_end());
  TENON_CHECK(expect_count("update_state takes a state and its new value", operands.size(), 2));
  return UpdateText{operands[0], operands[1]};
}

result<OperandType> parse_type(LineScanner& line) {
  const Kind kind = line.accept_word("natural") ? Kind::natural : Kind::real;
  TENON_TRY(const Shape shape, line.shape("type"));
  return OperandType{kind, shape};
}

result<OperationText> parse_operation(LineScanner& line) {
  OperationText out;
  const LineScanner before = line;
  const std::string_view word = line.word();
  out.row = find_op(word);
  if (out.row == nullptr) return unknown_operation(before, word);
  TENON_TRY(out.operands, parse_operands(line));
  TENON_TRY(out.attributes, parse_attributes(*out.row, line));
  if (line.accept(':')) {
    TENON_TRY(out.types, parse_types(line));
  }
  TENON_CHECK(line.expect_end());
  return out;
}

result<void> check_counts(const OperationText& operation, std::size_t results) {
  const OpSpec& row = *operation.row;
  const std::string name(row.name);
  TENON_CHECK(expect_count("operands of " + name, operation.operands.size(), row.operand_count()));
  TENON_CHECK(expect_count("results of " + name, results, row.output_count()));
  if (operation.types.empty()) return {};
  return expect_count("types of " + name, operation.types.size(), row.output_count());
}

result<Shape> agreed_type(const OpSpec& row, std::string_view label, const OperandType& stated, const Shape& given) {
  const bool fits = stated.kind == Kind::real && stated.shape.rank == given.rank && agree(stated.shape, given);
  if (fits) return rule::meet_shape(given, stated.shape);
  return fail(Reason::SHAPE_MISMATCH, "type of " + label_text(label) + ": found " + type_text(stated) + ", expected " +
                                          to_string(given) + ", which " + std::string(row.name) + " gives");
}

result<void> Labels::define(std::string_view label, std::uint32_t id) {
  if (ids_.try_emplace(label, id).second) return {};
  return fail(Reason::FILE_MALFORMED,
              "repeated value: found " + label_text(label) + " again, expected a name of its own for each result");
}

result<std::uint32_t> Labels::find(std::string_view label) const {
  const auto found = ids_.find(label);
  if (found != ids_.end()) return found->second;
  return fail(Reason::FILE_MALFORMED,
              "undefined value: found " + label_text(label) + ", expected one that an earlier line defines");
}

}  // namespace tenon
