#include "handles.h"

#include <cstdlib>

#include "workspace.h"

namespace tenon::gpu::cublas {
namespace {

using plugin::KernelError;
using plugin::text;

constexpr std::uint64_t workspace_alignment_bytes = 256;

}  // namespace

StreamHandle::StreamHandle(const Library& library, const Stream& stream) : library_(library), stream_(stream) {
  stream_.device().make_current();  // a handle is of the context that it is made in
  check(library_.create(&handle_), "cublasCreate");
  try {
    configure();
  } catch (...) {
    release();
    throw;
  }
}

// The default mathematics computes with at least the digits that the operands have, so not in TF32, whose results have
// three digits in binary32: more than the operations' tolerances allow. The pedantic one would keep the tensor units
// from binary64, which they compute exactly.
void StreamHandle::configure() {
  Device& device = stream_.device();
  check(library_.set_math(handle_, default_math), "cublasSetMathMode");
  const char* configured = std::getenv("CUBLAS_WORKSPACE_CONFIG");
  const std::uint64_t bytes = workspace_bytes(device.architecture(), configured == nullptr ? "" : configured);
  device.memory_alloc(bytes, workspace_alignment_bytes, TENON_MEMORY_DEVICE, &workspace_);
  check(library_.set_stream(handle_, stream_.native()), "cublasSetStream");
  check(library_.set_workspace(handle_, reinterpret_cast<void*>(workspace_.memory), bytes), "cublasSetWorkspace");
}

StreamHandle::~StreamHandle() {
  stream_.device().enter();
  release();
}

// What fails here fails because the device is lost, which has been told.
void StreamHandle::release() noexcept {
  static_cast<void>(library_.destroy(handle_));
  if (workspace_.memory == 0) return;
  static_cast<void>(plugin::guard([this] { stream_.device().memory_free(workspace_.memory); }));
}

// The library tells little of what happened to the device; the driver knows, and asking it waits for nothing.
void StreamHandle::fail(Result result, const char* doing) const {
  const Device& device = stream_.device();
  const Status status = device.driver().stream_query(stream_.native());
  if (status != success && status != not_ready) device.fail(status, doing);
  throw KernelError(result == Result::no_memory ? TENON_ERROR_OUT_OF_MEMORY : TENON_ERROR,
                    text("[", device.name(), "] ", doing, ": ", words_of(library_, result)));
}

// -- of a device --------------------------------------------------------------------------------------------

const Handles& Handles::of(Device& device) {
  return static_cast<const Handles&>(
      device.attachment([](Device& d) -> std::unique_ptr<Attachment> { return std::make_unique<Handles>(d); }));
}

Handles::Handles(const Device& device) {
  std::variant<Library, std::string> found = load_library(device.driver().version);
  if (auto* words = std::get_if<std::string>(&found))
    trouble_ = std::move(*words);
  else
    library_ = std::get<Library>(std::move(found));
}

std::unique_ptr<StreamAttachment> Handles::for_stream(const Stream& stream) {
  if (!trouble_.empty()) return nullptr;
  return std::make_unique<StreamHandle>(library_, stream);
}

}  // namespace tenon::gpu::cublas
