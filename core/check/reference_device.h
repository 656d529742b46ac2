// reference_device.h: this Tenon's own plugin `cpu`, loaded as every session loads it, to compare bits with. One
// thread.
#pragma once
#include <filesystem>
#include <memory>
#include <optional>
#include <span>

#include "tenon/draw_case.h"
#include "tenon/executor.h"
#include "verdict.h"

namespace tenon::check {

class ReferenceDevice {
 public:
  /// Skipped where it is not installed, or where it is the file that is examined: loading it twice would disturb it.
  static sought<std::unique_ptr<ReferenceDevice>> open(const std::filesystem::path& examined);

  LoadedPlugin& plugin() const { return registry_.device()->plugin(); }
  const DeviceFacts& facts() const { return registry_.device()->facts(); }

  /// The bytes of each output. Skipped if it does not serve the request.
  sought<std::vector<std::vector<std::byte>>> run(const Request& request,
                                                  std::span<const std::vector<std::byte>> operands,
                                                  std::span<const Scalar> scalars);

 private:
  explicit ReferenceDevice(Registry registry)
      : registry_(std::move(registry)), executor_(registry_.device(), nullptr) {}
  result<std::vector<std::vector<std::byte>>> run_on(Step& step, std::span<const std::vector<std::byte>> operands,
                                                     std::span<const Scalar> scalars);
  Registry registry_;
  Executor executor_;
};

}  // namespace tenon::check
