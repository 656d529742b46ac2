// Operations of a warp. A masked one (CUDA) waits for all lanes that its mask names and that have not left; one without
// a mask (HIP) is done by the lanes that came, once none of the warp is still on its way. Lanes meet at one call alone:
// those of two branches do not, since HIP runs the branches one after the other, though newer CUDA would let them.
#include <algorithm>

#include "block.h"

namespace gpusim {
namespace {

std::string_view name(Collective operation) {
  switch (operation) {
    case Collective::shuffle:
      return "shuffle";
    case Collective::shuffle_up:
      return "shuffle_up";
    case Collective::shuffle_down:
      return "shuffle_down";
    case Collective::shuffle_xor:
      return "shuffle_xor";
    case Collective::ballot:
      return "ballot";
    case Collective::sync:
      return "sync";
  }
  return "?";
}

// The lane that a shuffle takes its value from (CUDA C++ Programming Guide, "Warp Shuffle Functions"): its own where
// the one asked for lies outside of the segment.
int source_lane(Collective operation, int lane, int argument, int width) {
  const int begin = lane / width * width, end = begin + width;
  switch (operation) {
    case Collective::shuffle:
      return begin + (argument & (width - 1));
    case Collective::shuffle_up:
      return lane - argument >= begin ? lane - argument : lane;
    case Collective::shuffle_down:
      return lane + argument < end ? lane + argument : lane;
    case Collective::shuffle_xor:
      return (lane ^ argument) < end ? lane ^ argument : lane;
    default:
      return lane;
  }
}

}  // namespace

std::uint64_t Block::collective(Collective operation, std::uint64_t mask, bool masked, std::uint64_t value,
                                int argument, int width, void** frame) {
  Thread& thread = threads_[current_];
  const int warp_width = int(plan_.warp_width);
  if (width == 0) width = warp_width;
  // "width must have a value which is a power of two in the range [1, warpSize]" (CUDA C++ Programming Guide, "Warp
  // Shuffle Functions").
  if (width < 1 || width > warp_width || (width & (width - 1)) != 0) {
    give_up(Fault::bad_width, std::string(name(operation)) + " of width " + std::to_string(width), nullptr);
  }
  if (masked && (mask >> thread.lane & 1) == 0) {
    give_up(Fault::not_in_own_mask, std::string(name(operation)) + " by lane " + std::to_string(thread.lane), nullptr);
  }
  thread.request = {operation, masked, mask, value, argument, width, path_of_calls(frame)};
  thread.state = State::in_collective;
  progress_ = true;
  yield();
  return threads_[current_].result;
}

bool Block::finish_collectives() {
  bool any = false;
  for (std::size_t first = 0; first < threads_.size(); first += plan_.warp_width) {
    const std::size_t last = std::min(threads_.size(), first + plan_.warp_width);
    for (std::size_t i = first; i < last; ++i) {
      if (threads_[i].state == State::in_collective && finish_collective(first, last, i)) any = true;
    }
  }
  return any;
}

bool Block::finish_collective(std::size_t first, std::size_t last, std::size_t asking) {
  const Request request = threads_[asking].request;
  std::vector<std::size_t> taking_part;
  bool whole_warp = true;
  for (std::size_t i = first; i < last; ++i) {
    const Thread& thread = threads_[i];
    if (thread.state == State::done) continue;
    const bool named = !request.masked || (request.mask >> thread.lane & 1) != 0;
    const bool came = thread.state == State::in_collective && thread.request.same_call(request);
    if (named && came) {
      taking_part.push_back(i);
      continue;
    }
    if (thread.state == State::ready && named) return false;  // on its way
    if (named && request.masked) return false;
    whole_warp = false;
  }
  for (const std::size_t i : taking_part) threads_[i].result = value_for(threads_[i], taking_part, first);
  for (const std::size_t i : taking_part) threads_[i].state = State::ready;
  // Shuffles and ballots order no memory; __syncwarp does. One of a part of a warp is not modelled, which may give a
  // report too many and never one too few.
  if (whole_warp && request.operation == Collective::sync) ++warp_interval_[first / plan_.warp_width];
  return true;
}

std::uint64_t Block::value_for(const Thread& thread, const std::vector<std::size_t>& taking_part, std::size_t first) {
  const Request& request = thread.request;
  if (request.operation == Collective::sync) return 0;
  if (request.operation == Collective::ballot) {
    std::uint64_t lanes = 0;
    for (const std::size_t i : taking_part) {
      if (threads_[i].request.value != 0) lanes |= std::uint64_t{1} << threads_[i].lane;
    }
    return lanes;
  }
  const int lane = source_lane(request.operation, thread.lane, request.argument, request.width);
  const std::size_t source = first + std::size_t(lane);
  if (std::find(taking_part.begin(), taking_part.end(), source) != taking_part.end())
    return threads_[source].request.value;
  report(Fault::inactive_lane,
         std::string(name(request.operation)) + " takes the value of lane " + std::to_string(lane) +
             ", which does not take part",
         nullptr, std::size_t(&thread - threads_.data()));
  return ~std::uint64_t{0};
}

}  // namespace gpusim
