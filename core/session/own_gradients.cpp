#include "tenon/own_gradients.h"

#include "tenon/resolved_graph.h"

namespace tenon {

OwnGradient own_gradients(const Registry& registry, DType real) {
  return [&registry, real](Op vjp, std::span<const OperandType> operands, const Attributes& attributes) {
    if (!registry.names(vjp)) return false;  // the usual case
    std::vector<const OperandType*> types;
    for (const OperandType& type : operands) types.push_back(&type);
    const Precision precision{real, GradientMode::training};
    return registry.choose(request_of(vjp, types, operands[0].shape, attributes, precision)).capsule != nullptr;
  };
}

}  // namespace tenon
