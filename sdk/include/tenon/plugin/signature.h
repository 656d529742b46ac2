// signature.h: what a kernel is asked for, read comfortably.
//
// Views own nothing: they are valid while supports() or prepare() runs. A kernel copies what it keeps. Threads: any.
#pragma once
#include <algorithm>
#include <span>
#include <string_view>

#include "tenon/plugin/error.h"

namespace tenon::plugin {

constexpr bool same(tenon_dtype a, tenon_dtype b) { return a.code == b.code && a.bits == b.bits && a.lanes == b.lanes; }

/// The tenon_dtype of a C++ type.
template <class T>
inline constexpr tenon_dtype dtype_of{std::is_same_v<T, bool>       ? TENON_DTYPE_BOOL
                                      : std::is_floating_point_v<T> ? TENON_DTYPE_FLOAT
                                      : std::is_signed_v<T>         ? TENON_DTYPE_INT
                                                                    : TENON_DTYPE_UINT,
                                      static_cast<std::uint8_t>(8 * sizeof(T)), 1};

/// One operand or result.
class TensorView {
 public:
  explicit TensorView(const tenon_tensor& tensor) : tensor_(&tensor) {}

  tenon_dtype dtype() const { return tensor_->dtype; }
  std::size_t rank() const { return tensor_->rank; }
  std::span<const std::int64_t> shape() const { return {tensor_->shape, tensor_->rank}; }
  /// In elements; one per axis.
  std::span<const std::int64_t> strides() const { return {tensor_->strides, tensor_->rank}; }
  std::int64_t extent(std::size_t axis) const { return shape()[axis]; }
  /// Extent of an axis counted from the end: extent_from_end(1) is the last one; 1 where the rank does not reach.
  std::int64_t extent_from_end(std::size_t axis) const { return axis > rank() ? 1 : shape()[rank() - axis]; }
  std::uint64_t elements() const {
    std::uint64_t product = 1;
    for (const std::int64_t e : shape()) product *= static_cast<std::uint64_t>(e);
    return product;
  }
  std::uint64_t bytes() const { return elements() * tensor_->dtype.bits / 8; }
  std::uint32_t layout() const { return tensor_->layout; }
  std::uint32_t alignment_bytes() const { return tensor_->alignment_bytes; }
  std::string_view format() const { return tensor_->format == nullptr ? "" : tensor_->format; }
  const tenon_tensor& raw() const { return *tensor_; }

 private:
  const tenon_tensor* tensor_;
};

/// One node of a signature; in eager execution there is no other. Operands are in the order of the operation's row:
/// real ones, then natural ones.
class SignatureView {
 public:
  explicit SignatureView(const tenon_signature& signature, std::uint32_t node = 0)
      : signature_(&signature), node_(node_of(signature, node)) {}

  std::string_view op() const { return node_->op; }
  bool strict() const { return (signature_->flags & TENON_SIGNATURE_STRICT) != 0; }
  bool training() const { return (signature_->flags & TENON_SIGNATURE_TRAINING) != 0; }

  std::uint32_t operand_count() const { return node_->input_count; }
  std::uint32_t output_count() const { return node_->output_count; }
  std::uint32_t scalar_count() const { return node_->scalar_count; }
  TensorView operand(std::uint32_t i) const { return value("operand", node_->inputs, node_->input_count, i); }
  TensorView output(std::uint32_t i = 0) const { return value("output", node_->outputs, node_->output_count, i); }

  // Attributes. A name that is absent has its default: only the others are passed.
  std::span<const tenon_attr> attributes() const { return {node_->attrs, node_->attr_count}; }
  const tenon_value* find(std::string_view name) const {
    for (const tenon_attr& a : attributes()) {
      if (a.name == name) return &a.value;
    }
    return nullptr;
  }
  double real(std::string_view name, double otherwise) const {
    const tenon_value* given = find(name, TENON_VALUE_FLOAT);
    return given == nullptr ? otherwise : given->as.f;
  }
  std::int64_t integer(std::string_view name, std::int64_t otherwise) const {
    const tenon_value* given = find(name, TENON_VALUE_INT);
    return given == nullptr ? otherwise : given->as.i;
  }
  bool flag(std::string_view name, bool otherwise) const { return integer(name, otherwise ? 1 : 0) != 0; }
  std::span<const std::int64_t> integers(std::string_view name) const {
    const tenon_value* given = find(name, TENON_VALUE_INTS);
    if (given == nullptr) return {};
    return {given->as.is, given->count};
  }

  const tenon_signature& raw() const { return *signature_; }
  const tenon_node& node() const { return *node_; }

 private:
  static const tenon_node* node_of(const tenon_signature& signature, std::uint32_t node) {
    if (node >= signature.node_count) refuse("node ", node, " of a signature that has ", signature.node_count);
    return signature.nodes[node];
  }
  TensorView value(std::string_view what, const std::uint32_t* indices, std::uint32_t count, std::uint32_t i) const {
    if (i >= count) refuse("[", op(), "] ", what, " ", i, " is asked for: there are ", count);
    return TensorView(*signature_->values[indices[i]]);
  }
  const tenon_value* find(std::string_view name, std::uint32_t type) const {
    const tenon_value* given = find(name);
    if (given != nullptr && given->type != type) {
      refuse("[", op(), "] attribute ", name, ": value of type ", given->type, ", expected ", type);
    }
    return given;
  }

  const tenon_signature* signature_;
  const tenon_node* node_;
};

/// Where supports() says why not. Truncates to what the host has room for.
class Reason {
 public:
  explicit Reason(tenon_text* to) : to_(to) {}

  /// `return why.decline("needs at most ", 4, " axes")`
  template <class... Parts>
  bool decline(const Parts&... parts) {
    write(to_, text(parts...));
    return false;
  }

 private:
  tenon_text* to_;
};

}  // namespace tenon::plugin
