// held_stream.h: a stream that one caller has, for as long as its call lasts.
#pragma once
#include "call.h"

namespace tenon::host {

struct Held {
  StreamPointer stream;
  Occupied occupied;
  const tenon_devices& real() const { return stream->plugin->real; }
  DeviceRecord& device() const { return *stream->device; }
};

/// Nothing if the handle or the caller is refused.
inline std::optional<Held> hold(Call& call, tenon_stream* stream) {
  auto record = call.find<StreamRecord>(stream);
  if (record == nullptr) return std::nullopt;
  auto occupied = call.occupy(record->occupancy, *record);
  if (!occupied) return std::nullopt;
  return Held{std::move(record), *std::move(occupied)};
}

}  // namespace tenon::host
