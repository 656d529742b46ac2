// plan.h: what prepare makes of a signature: the launches that compute it, each with everything decided but the
// addresses and scalars of the moment. A run patches those into a copy on the stack, and launches.
//
// Owned by the prepared kernel, immutable once prepared. Threads: run() from several streams at once.
#pragma once
#include <cstring>
#include <memory>

#include "device.h"
#include "kernels/shapes.h"
#include "stream.h"

namespace tenon::gpu {

using plugin::Arguments;
using plugin::SignatureView;
using plugin::TensorView;

// -- arguments of a kernel that differ from launch to launch ------------------------------------------------

struct Operand {
  std::uint32_t number;
};
struct Output {
  std::uint32_t number = 0;
};
struct Workspace {
  std::uint64_t offset_bytes;
};
/// The eight bytes of a scalar, as they are.
struct Scalar {
  std::uint32_t number;
};

/// A value that the host computes for each launch from its scalars, `double` upwards of one number to a struct.
class Computed {
 public:
  static constexpr std::size_t max_bytes = 64;
  virtual ~Computed() = default;
  virtual void write(const Arguments& arguments, void* to) const = 0;
};

template <class Rule>
class ComputedBy : public Computed {
 public:
  explicit ComputedBy(Rule rule) : rule_(std::move(rule)) {}
  void write(const Arguments& arguments, void* to) const override {
    const auto value = rule_(arguments);
    static_assert(std::is_trivially_copyable_v<decltype(value)> && sizeof value <= max_bytes);
    std::memcpy(to, &value, sizeof value);
  }

 private:
  Rule rule_;
};

/// rule(arguments) gives the value.
template <class Rule>
std::unique_ptr<Computed> computed(Rule rule) {
  return std::make_unique<ComputedBy<Rule>>(std::move(rule));
}

// -- the plan -----------------------------------------------------------------------------------------------

class Plan {
 public:
  Plan(const SignatureView& signature, Device& device);

  const SignatureView& signature() const { return *signature_; }
  const Device& device() const { return device_; }

  /// Appends a launch of a kernel with so many blocks; none if there are no blocks. The kernel's name gets the suffix
  /// of the first result's type. Arguments are those of the kernel, in order: Operand, Output, Workspace, Scalar,
  /// computed(), or values of the kernel's own parameter types.
  template <class... A>
  void launch(std::string_view family, std::string_view kernel, std::uint64_t blocks, A&&... arguments) {
    if (blocks == 0) return;
    Launch& launch = begin(family, kernel, blocks);
    (append(launch, std::forward<A>(arguments)), ...);
    finish(launch);
  }
  /// The same, with at least so many threads.
  template <class... A>
  void launch_threads(std::string_view family, std::string_view kernel, std::uint64_t threads, A&&... arguments) {
    launch(family, kernel, (threads + block_threads - 1) / block_threads, std::forward<A>(arguments)...);
  }

  /// Copies so many bytes of operand 0 to the result, unless it stands in its place.
  void copy_through(std::uint64_t bytes) { copied_bytes_ = bytes; }

  /// A place of its own in the workspace.
  Workspace workspace(std::uint64_t bytes);
  std::uint64_t workspace_bytes() const { return workspace_bytes_; }

  void count_flops(std::uint64_t flops) { flops_ += flops; }
  std::uint64_t flops() const { return flops_; }

  /// Launches everything on the stream of the arguments.
  void run(const Arguments& arguments) const;

 private:
  static constexpr std::size_t max_parameters = 16;

  enum class Source : std::uint8_t { operand, output, workspace, scalar, computed };
  struct Patch {
    Source source;
    std::uint32_t parameter;
    std::uint64_t number;  // of the operand, output or scalar; offset in the workspace; index of the computed value
  };
  /// What a patched parameter points to during a launch.
  union Value {
    Address address;
    tenon_scalar scalar;
    alignas(16) std::byte bytes[Computed::max_bytes];
  };
  struct Launch {
    Function function;
    std::uint32_t blocks;
    std::string name;
    std::vector<std::uint64_t> constants;   // the values' bytes, each at a multiple of eight
    std::vector<std::uint32_t> parameters;  // where in the constants each parameter stands; of a patched one nothing
    std::vector<Patch> patches;
  };

  Launch& begin(std::string_view family, std::string_view kernel, std::uint64_t blocks);
  void finish(const Launch& launch) const;
  void append(Launch& launch, Source source, std::uint64_t number);
  void append(Launch& launch, Operand operand) { append(launch, Source::operand, operand.number); }
  void append(Launch& launch, Output output) { append(launch, Source::output, output.number); }
  void append(Launch& launch, Workspace place) { append(launch, Source::workspace, place.offset_bytes); }
  void append(Launch& launch, Scalar scalar) { append(launch, Source::scalar, scalar.number); }
  void append(Launch& launch, std::unique_ptr<Computed> value);
  template <class T>
  requires std::is_trivially_copyable_v<T>
  void append(Launch& launch, const T& value) { append_bytes(launch, &value, sizeof value); }
  void append_bytes(Launch& launch, const void* value, std::size_t bytes);

  void patch(const Patch& patch, const Arguments& arguments, Value& value) const;
  void run(const Launch& launch, const Arguments& arguments, const Stream& stream) const;

  const SignatureView* signature_;  // while it is being prepared
  Device& device_;
  std::string suffix_;
  std::vector<Launch> launches_;
  std::vector<std::unique_ptr<Computed>> computed_;
  std::uint64_t workspace_bytes_ = 0, copied_bytes_ = 0, flops_ = 0;
};

}  // namespace tenon::gpu
