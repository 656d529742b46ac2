// device.h: a device whose memory the host cannot read and whose work happens only when somebody waits for it.
//
// What a real device may do at worst, in a form that is the same each time: the source of a copy_in is read when the
// copy is done, and not before; event_query never makes progress; fresh memory is not zero. Every mistake that it can
// see is an error in words.
//
// Ownership: the host closes and destroys what it made; close() reports what is left. Threads: any; one lock per
// device.
#pragma once
#include "tenon/plugin.h"

namespace tenon::late {

extern const tenon_devices devices;

/// The plugin's table, complete. Its capsules wrap those of plugins/cpu/reference.
const tenon_plugin* table();

/// Queues a launch: for the capsules.
struct LaunchArguments;
class Kernel;
void enqueue_launch(tenon_stream* stream, Kernel& kernel, const tenon_args& args);

}  // namespace tenon::late
