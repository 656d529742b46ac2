// operation_text.h: one operation as a line, "%3 = linear(%0, %1, %2) {...} : (32, 10)": what graphs and programs are
// written in. Plain values that refer to the text they were read from; any thread.
#pragma once
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "tenon/line_scanner.h"
#include "tenon/value.h"

namespace tenon {

/// "natural (32)", "(32, 10)".
TENON_API std::string type_text(const OperandType& type);

/// The line of a node, without its end. Attributes stand where they differ from the operation's defaults.
TENON_API std::string operation_text(const Node& node, std::span<const OperandType> types);

/// "update_state(%2, %7)"
TENON_API std::string update_text(std::uint32_t state, std::uint32_t value);
inline constexpr std::string_view update_word = "update_state";

/// An operation as it was read; what it stands on has not been looked at.
struct OperationText {
  const OpSpec* row = nullptr;
  std::vector<std::string_view> operands;  // labels without %
  Attributes attributes;
  std::vector<OperandType> types;  // stated ones; none: left out
};

/// "%4, %5 =": the labels without %.
TENON_API result<std::vector<std::string_view>> parse_results(LineScanner& line);
/// What stands behind it, up to the end of the line.
TENON_API result<OperationText> parse_operation(LineScanner& line);
/// "%3"
TENON_API result<std::string_view> parse_label(LineScanner& line, std::string_view what);
/// "(%2, %7)"
TENON_API result<std::vector<std::string_view>> parse_operands(LineScanner& line);
/// "(%2, %7)" behind update_state, up to the end of the line: labels without %.
struct UpdateText {
  std::string_view state, value;
};
TENON_API result<UpdateText> parse_update(LineScanner& line);
/// "natural (32)"
TENON_API result<OperandType> parse_type(LineScanner& line);

/// Refuses operands, results or stated types that are not as many as the operation has.
TENON_API result<void> check_counts(const OperationText& operation, std::size_t results);

/// What is known of a value of which a line states one type and the operation's rule gives another: refused where they
/// contradict each other.
TENON_API result<Shape> agreed_type(const OpSpec& row, std::string_view label, const OperandType& stated,
                                    const Shape& given);

/// The values that labels stand for. Refers to the text.
class TENON_API Labels {
 public:
  /// Refuses a label that is already taken.
  result<void> define(std::string_view label, std::uint32_t id);
  /// Refuses a label that no earlier line defines.
  result<std::uint32_t> find(std::string_view label) const;

 private:
  std::unordered_map<std::string_view, std::uint32_t> ids_;
};

}  // namespace tenon
