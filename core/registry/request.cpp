#include "tenon/request.h"

namespace tenon {
namespace {

std::string text(const TensorType& type) { return std::string(name(type.dtype)) + " " + to_string(type.shape); }

std::string named_operands(const Request& request) {
  const OpSpec& row = spec(request.op);
  std::string out;
  for (std::size_t i = 0; i < request.operands.size(); ++i)
    out.append(i == 0 ? "" : ", ").append(row.operand(i)).append(" ").append(text(request.operands[i]));
  return out;
}

std::string results(const Request& request) {
  std::string out;
  for (const TensorType& type : request.outputs) out.append(out.empty() ? "" : ", ").append(text(type));
  return out;
}

}  // namespace

std::string to_string(const Request& request) {
  return std::string(name(request.op)) + "(" + named_operands(request) + ") -> " + results(request);
}

}  // namespace tenon
