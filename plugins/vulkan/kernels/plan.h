// plan.h: what a kernel does when it is launched, as a list of passes: a shader, what it is bound to, its push
// constants and how many invocations there are.
//
// Values, made when a kernel is prepared. Threads: const members from any thread.
#pragma once
#include <cstring>
#include <optional>

#include "pipelines.h"

namespace tenon::vulkan {

using plugin::Arguments;
using plugin::Reason;
using plugin::SignatureView;
using plugin::TensorView;

/// Thrown where a plan meets a limit of this plugin's: supports() declines with these words.
class Unserved : public plugin::KernelError {
 public:
  template <class... Parts>
  explicit Unserved(const Parts&... parts) : KernelError(TENON_ERROR_INVALID_ARGUMENT, plugin::text(parts...)) {}
};

/// Push constants, laid out as std430 does it: each value at a multiple of its size.
class Push {
 public:
  template <class T>
  Push& put(T value) {
    bytes_ = (bytes_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    if (bytes_ + sizeof(T) > data_.size()) plugin::refuse("[vulkan] more push constants than there is room for");
    std::memcpy(data_.data() + bytes_, &value, sizeof(T));
    bytes_ += static_cast<std::uint32_t>(sizeof(T));
    return *this;
  }
  Push& count(std::uint64_t value) { return put(static_cast<std::uint32_t>(value)); }
  /// A number in the element type.
  Push& real(double value, bool binary64) { return binary64 ? put(value) : put(static_cast<float>(value)); }

  const std::byte* data() const { return data_.data(); }
  std::uint32_t bytes() const { return bytes_; }

 private:
  std::array<std::byte, max_push_bytes> data_{};
  std::uint32_t bytes_ = 0;
};

/// What a pass is bound to.
struct Slot {
  enum class Kind : std::uint8_t { operand, output, workspace };
  Kind kind;
  bool written;
  std::uint32_t number;               // of the operand or output
  std::uint64_t offset_bytes, bytes;  // offset: in the workspace
};

struct Pass {
  explicit Pass(std::uint32_t shader_number) : shader(shader_number) {}

  std::uint32_t shader;
  Constants constants{};  // number 0 is left to the device where it is 0
  std::vector<Slot> slots;
  Push push;
  std::uint64_t invocations = 0;              // along x, in workgroups of the device's choice; or
  std::array<std::uint32_t, 3> workgroups{};  // as many as this
  struct Variant {
    Constants constants;
    std::uint64_t invocations;
  };
  std::optional<Variant> on_software;  // what a software device runs instead
  bool copies = false;                 // no shader: slot 0 is copied to slot 1

  Pass& bind(Slot slot) {
    slots.push_back(slot);
    return *this;
  }
  Pass& reads(const SignatureView& s, std::uint32_t i) {
    return bind({Slot::Kind::operand, false, i, 0, s.operand(i).bytes()});
  }
  Pass& writes(const SignatureView& s, std::uint32_t i = 0) {
    return bind({Slot::Kind::output, true, i, 0, s.output(i).bytes()});
  }
  /// The result, of which a pass before this one has written something.
  Pass& reads_output(const SignatureView& s) { return bind({Slot::Kind::output, false, 0, 0, s.output().bytes()}); }
  Pass& over(std::uint64_t count) {
    invocations = count;
    return *this;
  }
};

class Plan {
 public:
  Pass& add(std::uint32_t shader) { return passes_.emplace_back(shader); }
  void copy(Slot from, Slot to) {
    Pass& pass = add(0);
    pass.copies = true;
    pass.bind(from).bind(to);
  }
  /// A part of the workspace.
  Slot take(std::uint64_t bytes) {
    constexpr std::uint64_t alignment = 256;
    const std::uint64_t offset = workspace_bytes_;
    workspace_bytes_ += (bytes + alignment - 1) / alignment * alignment;
    return {Slot::Kind::workspace, true, 0, offset, bytes};
  }
  static Slot read(Slot slot) {
    slot.written = false;
    return slot;
  }

  const std::vector<Pass>& passes() const { return passes_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  std::vector<Pass> passes_;
  std::uint64_t workspace_bytes_ = 0;
};

inline bool binary64(const SignatureView& signature) { return signature.output().dtype().bits == 64; }
inline std::uint64_t element_bytes(const SignatureView& signature) { return signature.output().dtype().bits / 8; }

/// A tensor as rows along its last axis; a tensor without axes is one row of one.
struct Rows {
  std::uint64_t count, length;

  static Rows of(const TensorView& tensor) {
    const auto length = static_cast<std::uint64_t>(tensor.extent_from_end(1));
    return {length == 0 ? 0 : tensor.elements() / length, length};
  }
};

}  // namespace tenon::vulkan
