#include "reference_device.h"

#include <algorithm>

namespace tenon::check {
namespace {

namespace fs = std::filesystem;

result<Registry> open_cpu(const Candidate& candidate) {
  TENON_TRY(auto plugin, LoadedPlugin::load(candidate, {}));
  TENON_TRY(auto device, Device::open(plugin, "cpu", 0));
  return Registry(std::move(device), {std::move(plugin)}, {.strict = true});
}

template <class T>
sought<T> or_skipped(result<T> answer, const char* what = "") {
  if (answer) return *std::move(answer);
  return skipped(std::string(what) + answer.error().text);
}

}  // namespace

sought<std::unique_ptr<ReferenceDevice>> ReferenceDevice::open(const fs::path& examined) {
  TENON_SEEK(const Catalogue catalogue, or_skipped(Catalogue::scan({})));
  const auto is_cpu = [](const Candidate& c) { return c.own && c.usable() && c.manifest.id == "cpu"; };
  const auto cpu = std::ranges::find_if(catalogue.candidates(), is_cpu);
  if (cpu == catalogue.candidates().end()) return skipped("the plugin cpu does not lie beside libtenon.so");
  std::error_code ignored;
  if (fs::equivalent(cpu->manifest.library, examined, ignored))
    return skipped("it is itself what others are compared with");
  TENON_SEEK(Registry registry, or_skipped(open_cpu(*cpu)));
  return std::unique_ptr<ReferenceDevice>(new ReferenceDevice(std::move(registry)));
}

sought<std::vector<std::vector<std::byte>>> ReferenceDevice::run(const Request& request,
                                                                 std::span<const std::vector<std::byte>> operands,
                                                                 std::span<const Scalar> scalars) {
  TENON_SEEK(auto kernel, or_skipped(Kernel::prepare(registry_, request), "the plugin cpu has nothing to compare: "));
  Step step(std::move(kernel));
  return or_skipped(run_on(step, operands, scalars), "the plugin cpu failed: ");
}

result<std::vector<std::vector<std::byte>>> ReferenceDevice::run_on(Step& step,
                                                                    std::span<const std::vector<std::byte>> operands,
                                                                    std::span<const Scalar> scalars) {
  Device& device = executor_.device();
  std::vector<Buffer> buffers;
  const auto place = [&](std::uint64_t bytes) -> result<tenon_ref> {
    TENON_TRY(buffers.emplace_back(), Buffer::allocate(device.shared_from_this(), bytes));
    return buffers.back().ref();
  };
  TENON_CHECK(executor_.admit(step));
  for (std::size_t i = 0; i < operands.size(); ++i) {
    TENON_TRY(const tenon_ref ref, place(operands[i].size()));
    TENON_CHECK(device.write(ref, operands[i]));
    step.set_operand(i, ref);
  }
  for (std::size_t i = 0; i < step.output_count(); ++i) {
    TENON_TRY(const tenon_ref ref, place(step.output_bytes(i)));
    step.set_output(i, ref);
  }
  for (std::size_t i = 0; i < scalars.size(); ++i) step.set_scalar(i, scalars[i]);
  if (!executor_.run(step)) return fail(executor_.error(step));
  std::vector<std::vector<std::byte>> out;
  for (std::size_t i = 0; i < step.output_count(); ++i) {
    out.emplace_back(step.output_bytes(i));
    TENON_CHECK(device.read(out.back(), step.output(i)));
  }
  return out;
}

}  // namespace tenon::check
