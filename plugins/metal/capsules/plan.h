// plan.h: what a kernel does when it is launched, as a list of passes: a kernel of Metal's, what it is bound to, its
// constants and how many threads there are. kernels/README.md tells of each kernel.
//
// Values, made when a kernel is prepared. Threads: const members from any thread.
#pragma once
#include <cstring>

#include "../kernels/constants.h"
#include "../stream.h"

namespace tenon::metal {

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

/// The bytes of a struct of kernels/constants.h, or of a HostMade.
class Constants {
 public:
  Constants() = default;
  template <class Struct>
  requires std::is_trivially_copyable_v<Struct> Constants(const Struct& values) : bytes_(sizeof values) {
    static_assert(sizeof values <= max_constant_bytes);
    std::memcpy(data_.data(), &values, sizeof values);
  }
  const std::byte* data() const { return data_.data(); }
  std::uint32_t bytes() const { return bytes_; }

 private:
  std::array<std::byte, max_constant_bytes> data_{};
  std::uint32_t bytes_ = 0;
};

/// Numbers of elements and extents, which supports() keeps within 32 bits.
template <class Number>
requires std::is_integral_v<Number>
unsigned count32(Number number) { return static_cast<unsigned>(number); }

/// What a pass is bound to.
struct Slot {
  enum class Kind : std::uint8_t { operand, output, workspace };
  Kind kind;
  std::uint32_t number;               // of the operand or output
  std::uint64_t offset_bytes, bytes;  // offset: in the workspace

  static Slot operand(const SignatureView& s, std::uint32_t i) { return {Kind::operand, i, 0, s.operand(i).bytes()}; }
  static Slot output(const SignatureView& s, std::uint32_t i = 0) { return {Kind::output, i, 0, s.output(i).bytes()}; }
};

struct Pass {
  enum class Does : std::uint8_t { compute, copy, make };  // copy: slot 0 to slot 1; make: a HostMade into slot 0
  Does does = Does::compute;
  const char* kernel = nullptr;
  std::vector<Slot> slots;
  Constants constants;
  std::uint64_t threads = 0;              // along x, in threadgroups of the device's choice; or
  std::array<std::uint64_t, 3> groups{};  // as many threadgroups as this
  std::uint32_t group_threads = 0;        // of so many threads

  Pass& bind(Slot slot) {
    slots.push_back(slot);
    return *this;
  }
  Pass& reads(const SignatureView& s, std::uint32_t i) { return bind(Slot::operand(s, i)); }
  Pass& writes(const SignatureView& s, std::uint32_t i = 0) { return bind(Slot::output(s, i)); }

  // How it is started, as the table of kernels/README.md has it.
  /// A thread for each.
  Pass& over(std::uint64_t count) {
    threads = count;
    return *this;
  }
  /// A thread for each four neighbours.
  Pass& over_fours(std::uint64_t count) { return over((count + 3) / 4); }
  /// A team of threads for each.
  Pass& by_teams(std::uint64_t count) {
    groups = {(count + teams - 1) / teams, 1, 1};
    group_threads = team_threads;
    return *this;
  }
  bool does_nothing() const {
    if (does != Does::compute) return slots.back().bytes == 0;
    return threads == 0 && (groups[0] == 0 || groups[1] == 0 || groups[2] == 0);
  }

 private:
  static constexpr std::uint64_t teams = tenon_metal::teams;
  static constexpr std::uint32_t team_threads = tenon_metal::team_threads;
};

class Plan {
 public:
  Pass& add(const char* kernel) {
    Pass& pass = passes_.emplace_back();
    pass.kernel = kernel;
    return pass;
  }
  void copy(Slot from, Slot to) {
    Pass& pass = add(nullptr);
    pass.does = Pass::Does::copy;
    pass.bind(from).bind(to);
  }
  void make(Slot to) {
    Pass& pass = add(nullptr);
    pass.does = Pass::Does::make;
    pass.bind(to);
  }
  /// A part of the workspace.
  Slot take(std::uint64_t bytes) {
    constexpr std::uint64_t alignment = 256;
    const std::uint64_t offset = workspace_bytes_;
    workspace_bytes_ += (bytes + alignment - 1) / alignment * alignment;
    return {Slot::Kind::workspace, 0, offset, bytes};
  }

  const std::vector<Pass>& passes() const { return passes_; }
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

 private:
  std::vector<Pass> passes_;
  std::uint64_t workspace_bytes_ = 0;
};

/// A tensor as rows along its last axis; a tensor without axes is one row of one.
struct Rows {
  std::uint64_t count, length;

  static Rows of(const TensorView& tensor) {
    const auto length = static_cast<std::uint64_t>(tensor.extent_from_end(1));
    return {length == 0 ? 0 : tensor.elements() / length, length};
  }
};

}  // namespace tenon::metal
