// abi_values.h: a request in the words of the plugin ABI.
//
// An AbiSignature owns every array that its tenon_signature points to; it must outlive the calls that are given it.
#pragma once
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "tenon/plugin.h"
#include "tenon/request.h"

namespace tenon {

tenon_dtype to_abi(DType dtype);
/// "f32", or "bf16", "c64", ... for what the core has no type of its own for.
TENON_API std::string to_string(tenon_dtype dtype);

class AbiSignature {
 public:
  AbiSignature(const Request& request, bool strict);
  AbiSignature(const AbiSignature&) = delete;
  AbiSignature& operator=(const AbiSignature&) = delete;

  const tenon_signature& get() const { return signature_; }

 private:
  void add_attributes(const Request& request);
  void add_tensors(const std::vector<TensorType>& types, std::vector<std::uint32_t>& indices);
  void add_scalars(const OpSpec& row);
  void add_aliases(const OpSpec& row);

  std::deque<std::vector<std::int64_t>> integers_;
  std::vector<tenon_attr> attributes_;
  std::deque<tenon_tensor> tensors_;
  std::vector<const tenon_tensor*> tensor_pointers_;
  std::vector<std::uint32_t> inputs_, outputs_, scalars_, aliases_;
  tenon_node node_{};
  const tenon_node* node_pointer_ = &node_;
  tenon_signature signature_{};
};

}  // namespace tenon
