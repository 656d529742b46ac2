#include "tenon/abi_values.h"

namespace tenon {
namespace {

std::vector<std::int64_t> dense_strides(const Shape& shape) {
  std::vector<std::int64_t> strides(shape.rank, 1);
  for (int axis = shape.rank - 2; axis >= 0; --axis) {
    const auto i = static_cast<std::size_t>(axis);
    strides[i] = strides[i + 1] * shape[axis + 1];
  }
  return strides;
}

char letter(std::uint8_t code) {
  switch (code) {
    case TENON_DTYPE_INT:
      return 'i';
    case TENON_DTYPE_UINT:
      return 'u';
    case TENON_DTYPE_FLOAT:
      return 'f';
    case TENON_DTYPE_COMPLEX:
      return 'c';
    default:
      return '?';
  }
}

/// An aligned start is what the core's arenas promise for every tensor.
constexpr std::uint32_t tensor_alignment_bytes = 64;

}  // namespace

tenon_dtype to_abi(DType dtype) {
  const auto bits = static_cast<std::uint8_t>(8 * size_bytes(dtype));
  return {static_cast<std::uint8_t>(is_natural(dtype) ? TENON_DTYPE_UINT : TENON_DTYPE_FLOAT), bits, 1};
}

std::string to_string(tenon_dtype dtype) {
  if (dtype.code == TENON_DTYPE_BFLOAT) return "bf" + std::to_string(dtype.bits);
  if (dtype.code == TENON_DTYPE_BOOL) return "bool";
  return letter(dtype.code) + std::to_string(dtype.bits);
}

AbiSignature::AbiSignature(const Request& request, bool strict) {
  const OpSpec& row = spec(request.op);
  add_attributes(request);
  add_tensors(request.operands, inputs_);
  add_tensors(request.outputs, outputs_);
  for (const tenon_tensor& tensor : tensors_) tensor_pointers_.push_back(&tensor);
  add_scalars(row);
  add_aliases(row);

  node_.size = sizeof node_;
  node_.op = row.name.data();  // a literal: ends in NUL
  node_.op_version = row.version;
  node_.attr_count = static_cast<std::uint32_t>(attributes_.size());
  node_.attrs = attributes_.data();
  node_.input_count = static_cast<std::uint32_t>(inputs_.size());
  node_.output_count = static_cast<std::uint32_t>(outputs_.size());
  node_.scalar_count = static_cast<std::uint32_t>(scalars_.size());
  node_.inputs = inputs_.data();
  node_.outputs = outputs_.data();
  node_.scalars = scalars_.data();

  signature_.size = sizeof signature_;
  signature_.flags =
      (strict ? TENON_SIGNATURE_STRICT : 0u) | (request.mode == GradientMode::training ? TENON_SIGNATURE_TRAINING : 0u);
  signature_.node_count = 1;
  signature_.nodes = &node_pointer_;
  signature_.value_count = static_cast<std::uint32_t>(tensor_pointers_.size());
  signature_.values = tensor_pointers_.data();
  signature_.scalar_count = node_.scalar_count;
  signature_.input_count = node_.input_count;
  signature_.output_count = node_.output_count;
  signature_.inputs = inputs_.data();
  signature_.outputs = outputs_.data();
  signature_.alias_count = static_cast<std::uint32_t>(aliases_.size() / 2);
  signature_.aliases = aliases_.data();
}

void AbiSignature::add_attributes(const Request& request) {
  const auto add = [this](std::string_view name, tenon_value value) { attributes_.push_back({name.data(), value}); };
  const auto add_if_set = [&](std::string_view name, const auto& field, const auto& standard) {
    if (field == standard) return;
    tenon_value value{};
    value.count = 1;
    if constexpr (std::is_same_v<decltype(field), const Shape&>) {
      const auto& list = integers_.emplace_back(field.extents().begin(), field.extents().end());
      value.type = TENON_VALUE_INTS;
      value.count = static_cast<std::uint32_t>(list.size());
      value.as.is = list.data();
    } else if constexpr (std::is_same_v<decltype(field), const bool&>) {
      value.type = TENON_VALUE_INT;
      value.as.i = field ? 1 : 0;
    } else if constexpr (std::is_same_v<decltype(field), const Extent&>) {
      value.type = TENON_VALUE_INT;
      value.as.i = field;
    } else {
      value.type = TENON_VALUE_FLOAT;
      value.as.f = field;
    }
    add(name, value);
  };
  for_each_pair(request.attributes, spec(request.op).defaults, add_if_set);
}

void AbiSignature::add_tensors(const std::vector<TensorType>& types, std::vector<std::uint32_t>& indices) {
  for (const TensorType& type : types) {
    const auto& shape = integers_.emplace_back(type.shape.extents().begin(), type.shape.extents().end());
    const auto& strides = integers_.emplace_back(dense_strides(type.shape));
    indices.push_back(static_cast<std::uint32_t>(tensors_.size()));
    tensors_.push_back({sizeof(tenon_tensor), 0, to_abi(type.dtype), type.shape.rank, shape.data(), strides.data(),
                        TENON_LAYOUT_DENSE, tensor_alignment_bytes, nullptr});
  }
}

void AbiSignature::add_scalars(const OpSpec& row) {
  for (std::uint32_t i = 0; i < row.scalars.count; ++i) scalars_.push_back(i);
}

/// In place: every output of an update, and the one output of an operation that only renames its operand.
void AbiSignature::add_aliases(const OpSpec& row) {
  const auto pair = [this](std::size_t output, std::size_t operand) {
    aliases_.push_back(outputs_[output]);
    aliases_.push_back(inputs_[operand]);
  };
  if (row.role == Role::update)
    for (std::size_t output = 0; output < outputs_.size(); ++output) {
      pair(output, row.updated_operand(output));
      tensors_[inputs_[row.updated_operand(output)]].flags |= TENON_TENSOR_MUTABLE;
    }
  if (shares_storage(row.op)) pair(0, 0);
}

}  // namespace tenon
