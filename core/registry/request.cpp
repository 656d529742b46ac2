#include "tenon/request.h"

namespace tenon {
namespace {

std::string list(const std::vector<TensorType>& types) {
  std::string out;
  for (const TensorType& type : types) {
    if (!out.empty()) out += ", ";
    out.append(name(type.dtype)).append(" ").append(to_string(type.shape));
  }
  return out;
}

}  // namespace

std::string to_string(const Request& request) {
  return std::string(name(request.op)) + "(" + list(request.operands) + ") -> " + list(request.outputs);
}

}  // namespace tenon
