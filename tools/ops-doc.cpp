// ops-doc: prints docs/ops.md, the table of operations as people read it.
#include <cstdio>
#include <string>

#include "role_name.h"
#include "tenon/attributes_text.h"
#include "tenon/op.h"

namespace tenon {
namespace {

std::string words(const Names& names) {
  std::string out;
  for (const std::string_view name : names.view()) out.append(out.empty() ? "" : ", ").append(name);
  return out;
}

/// The bar is a column's border in a Markdown table.
std::string cell(std::string_view text) {
  std::string out = " ";
  for (const char c : text) c == '|' ? out.append("\\|") : out.append(1, c);
  return out.append(text.empty() ? "|" : " |");
}

std::string line(const OpSpec& row) {
  std::string out = "|" + cell("`" + std::string(row.name) + "`");
  for (const Names& names : {row.reals, row.naturals, row.scalars}) out += cell(words(names));
  return out + cell(to_string(row.defaults)) + cell(name(row.role)) + cell(row.documentation) + "\n";
}

constexpr std::string_view head =
    R"(# Operations

Printed by `tools/ops-doc.cpp` from the op table; do not edit. Operands are tensors of real numbers; naturals are tensors
of labels or indices, never differentiated; scalars may change at each execution. Attributes stand with their defaults.
Every differentiable operation `X` has a derived one, `X.vjp`, for devices that bring a gradient of their own: it takes
X's operands, its result, the result's cotangent and X's naturals, and gives a cotangent for each operand.

| operation | operands | naturals | scalars | attributes | role | meaning |
|---|---|---|---|---|---|---|
)";

void print() {
  std::string out(head);
  for (const OpSpec& row : all_ops()) out += line(row);
  std::fputs(out.c_str(), stdout);
}

}  // namespace
}  // namespace tenon

int main() { tenon::print(); }
