// unruly.h: VK_LAYER_TENON_unruly, a Vulkan layer that makes a driver behave as a driver may, or fail as one may fail.
//
// It lies between the plugin and the driver (and above the validation layer), and is told what to do by a plan: words,
// separated by spaces.
//
//   fail:QueueSubmit:3:-4   the third call of vkQueueSubmit returns VkResult -4; "*" counts all that can fail
//   lost:3                  the third submission loses the device, and everything that can say so does from then on
//   devices:2               each device is listed so many times, by names of its own
//   discrete                memory like that of a graphics card, offsets aligned to 256 bytes, all of it watched
//   wrong:136:133           instructions 136 of every shader (OpFDiv) become instructions 133 (OpFMul)
//   drop:CmdPipelineBarrier calls of that function do not reach the driver
//   version:4198400         the version of Vulkan that devices claim
//   lacks:float64           the feature that devices lack: float64, int64 or timeline
//   beyond:1                the first push constant, often a number of elements, is so much greater
//
// It watches the plugin too: what is left at the end of a device, commands on buffers that are gone, descriptors that
// are not aligned, batches without a barrier towards the host. What it finds is told by unruly_faults; where the plan
// comes from the environment (TENON_UNRULY), it ends the process with status 86 instead.
//
// One process, one plan at a time. Threads: any.
#pragma once

extern "C" {
/// Forgets what was counted and found, and does this from now on.
void unruly_plan(const char* words);
/// Empty: nothing wrong was seen. Lives until the next call of unruly_plan.
const char* unruly_faults();
/// Calls that could have failed since the plan was made.
int unruly_calls();
/// Calls of any function by this thread, ever.
int unruly_calls_of_this_thread();
/// The function that failed as planned, or nothing.
const char* unruly_failed();
/// Bytes that live in memory of this type.
unsigned long long unruly_bytes_of_type(unsigned type);
}
