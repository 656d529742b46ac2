// attachment.h: what a library beside the driver keeps for a device, and for each of its streams: cuBLAS' handles.
//
// Owned by the device and by its streams, and gone before their contexts and native streams are. Threads: a device's
// attachment any, a stream's that of the stream.
#pragma once
#include <memory>

namespace tenon::gpu {

class Stream;

/// A stream's. It is there before a kernel that uses it is, and is never replaced, so a launch reads it without a lock.
class StreamAttachment {
 public:
  StreamAttachment() = default;
  virtual ~StreamAttachment() = default;
  StreamAttachment(const StreamAttachment&) = delete;
  StreamAttachment& operator=(const StreamAttachment&) = delete;
};

/// A device's.
class Attachment {
 public:
  Attachment() = default;
  virtual ~Attachment() = default;
  Attachment(const Attachment&) = delete;
  Attachment& operator=(const Attachment&) = delete;

  // One call of these at a time.
  /// What a stream gets; null if it has to do without. Throws where that cannot be had.
  virtual std::unique_ptr<StreamAttachment> for_stream(const Stream& stream) = 0;
  /// The streams that there were could not all have theirs, for this reason, and have none now.
  virtual void give_up(const char* why) = 0;
};

}  // namespace tenon::gpu
