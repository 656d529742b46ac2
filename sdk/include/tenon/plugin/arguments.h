// arguments.h: what one launch is given.
//
// Operands and results are numbered as in SignatureView, wherever the host put them. A view: valid during launch()
// only, the scalars too. Typed pointers exist for memory_domain "host" alone, where the handle is the address; every
// other plugin resolves the refs itself. Threads: those of launch().
#pragma once
#include <vector>

#include "tenon/plugin/signature.h"

namespace tenon::plugin {

/// Where a node's operands, results and scalars stand in an argument block. Found once, when a kernel is prepared.
class ArgumentMap {
 public:
  explicit ArgumentMap(const SignatureView& view) : operands_(view.operand_count()) {
    const tenon_signature& s = view.raw();
    const tenon_node& node = view.node();
    for (std::uint32_t i = 0; i < node.input_count; ++i)
      tensors_.push_back(find(s.inputs, s.input_count, node.inputs[i]));
    for (std::uint32_t i = 0; i < node.output_count; ++i) {
      tensors_.push_back(s.input_count + find(s.outputs, s.output_count, node.outputs[i]));
    }
    scalars_.assign(node.scalars, node.scalars + node.scalar_count);
  }
  std::uint32_t operand_count() const { return operands_; }
  std::uint32_t output_count() const { return static_cast<std::uint32_t>(tensors_.size()) - operands_; }
  std::uint32_t scalar_count() const { return static_cast<std::uint32_t>(scalars_.size()); }

  std::uint32_t operand(std::uint32_t i) const { return tensors_[i]; }
  std::uint32_t output(std::uint32_t i) const { return tensors_[operands_ + i]; }
  std::uint32_t scalar(std::uint32_t i) const { return scalars_[i]; }

 private:
  static std::uint32_t find(const std::uint32_t* external, std::uint32_t count, std::uint32_t value) {
    const std::uint32_t* found = std::find(external, external + count, value);
    if (found == external + count) refuse("value ", value, " of a single node is no argument");
    return static_cast<std::uint32_t>(found - external);
  }
  std::uint32_t operands_;
  std::vector<std::uint32_t> tensors_, scalars_;
};

class Arguments {
 public:
  Arguments(const tenon_args& args, const ArgumentMap& map, tenon_stream* stream)
      : args_(&args), map_(&map), stream_(stream) {}

  template <class T>
  const T* operand(std::uint32_t i) const {
    return address<const T>(operand_ref(i));
  }
  template <class T>
  T* output(std::uint32_t i = 0) const {
    return address<T>(output_ref(i));
  }
  template <class T>
  T* workspace() const {
    return address<T>(args_->workspace);
  }

  std::uint32_t operand_count() const { return map_->operand_count(); }
  std::uint32_t output_count() const { return map_->output_count(); }
  std::uint32_t scalar_count() const { return map_->scalar_count(); }

  tenon_ref operand_ref(std::uint32_t i) const { return args_->tensors[map_->operand(i)]; }
  tenon_ref output_ref(std::uint32_t i = 0) const { return args_->tensors[map_->output(i)]; }
  tenon_scalar scalar(std::uint32_t i) const { return args_->scalars[map_->scalar(i)]; }
  std::uint64_t launch_id() const { return args_->launch_id; }
  tenon_stream* stream() const { return stream_; }
  const tenon_args& raw() const { return *args_; }

 private:
  template <class T>
  static T* address(tenon_ref ref) {
    return reinterpret_cast<T*>(static_cast<std::uintptr_t>(ref.memory + ref.offset_bytes));
  }
  const tenon_args* args_;
  const ArgumentMap* map_;
  tenon_stream* stream_;
};

}  // namespace tenon::plugin
