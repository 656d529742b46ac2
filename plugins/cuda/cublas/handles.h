// handles.h: cuBLAS on one device: the library, and a handle with a workspace of its own for each stream.
//
// cuBLAS asks that threads share no handle whose configuration changes, that a stream be set before the workspace
// (which setting it resets), and that no two streams use one workspace. A handle that belongs to a stream for good has
// all of that, and a launch neither configures nor locks anything; results are the same each time, too ("Thread
// Safety", "Results Reproducibility", cublasSetWorkspace).
//
// Owned by the device. Threads: any; a stream's handle is that stream's.
#pragma once
#include "host/stream.h"
#include "library.h"

namespace tenon::gpu::cublas {

class StreamHandle : public StreamAttachment {
 public:
  StreamHandle(const Library& library, const Stream& stream);
  ~StreamHandle() override;

  const Library& library() const { return library_; }
  Handle get() const { return handle_; }
  /// Throws what a result other than success stands for; a device that is lost is told as that.
  void check(Result result, const char* doing) const {
    if (result != Result::success) fail(result, doing);
  }

 private:
  [[noreturn]] void fail(Result result, const char* doing) const;
  void configure();
  void release() noexcept;

  const Library& library_;
  const Stream& stream_;
  Handle handle_ = nullptr;
  tenon_memory workspace_{};
};

class Handles : public Attachment {
 public:
  /// Those of a device, made when they are first asked for.
  static const Handles& of(Device& device);

  explicit Handles(const Device& device);
  std::unique_ptr<StreamAttachment> for_stream(const Stream& stream) override;
  void give_up(const char* why) override { trouble_ = why; }

  /// Why nothing can be computed here, in words; empty if it can.
  const std::string& trouble() const { return trouble_; }

 private:
  Library library_;
  std::string trouble_;  // constant once the streams of that time have joined
};

}  // namespace tenon::gpu::cublas
