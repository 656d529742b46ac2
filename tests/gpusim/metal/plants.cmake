# Plants bugs into a source of the plugin: cmake -DSOURCE=... -DOUT=... -P plants.cmake
#
# Each bug is off until a test turns it on (plants.h); tests/metal/plants_test.cpp says who notices it. A text that is
# not there, or not once, is an error: the bug has to be planted anew.
cmake_minimum_required(VERSION 3.22)
file(READ "${SOURCE}" text)
cmake_path(GET SOURCE FILENAME name)

function(plant file from to)
  if(NOT file STREQUAL name)
    return()
  endif()
  string(FIND "${text}" "${from}" first)
  string(FIND "${text}" "${from}" last REVERSE)
  if(first EQUAL -1 OR NOT first EQUAL last)
    message(FATAL_ERROR "[plants] ${file} does not have this just once: ${from}")
  endif()
  string(REPLACE "${from}" "${to}" text "${text}")
  set(text "${text}" PARENT_SCOPE)
endfunction()

# Encoding and committing.
plant(commit.mm [=[if (compute_ != nil) [compute_ endEncoding];]=]
      [=[if (compute_ != nil && !planted("no_end_of_encoding")) [compute_ endEncoding];]=])
plant(commit.mm [=[offset:command.ranges[i].offset atIndex:i]]=]
      [=[offset:planted("no_offset") ? 0 : command.ranges[i].offset
             atIndex:planted("arrays_swapped") ? command.range_count - 1 - i : i]]=])
plant(commit.mm [=[atIndex:command.range_count]]=]
      [=[atIndex:command.range_count + (planted("constants_one_further") ? 1 : 0)]]=])
plant(commit.mm [=[[commands commit];]=]
      [=[if (!planted("no_commit")) [commands commit];
    if (planted("committed_twice")) [commands commit];]=])
plant(commit.mm [=[[commands encodeSignalEvent:own value:value];]=]
      [=[if (!planted("no_signal")) [commands encodeSignalEvent:own value:value];]=])
plant(commit.mm [=[if (value > 1) [commands encodeWaitForEvent]=]
      [=[if (planted("waits_for_itself")) [commands encodeWaitForEvent:own value:value];
    if (value > 1) [commands encodeWaitForEvent]=])
plant(commit.mm [=[      [commands encodeWaitForEvent:as<id<MTLSharedEvent>>(moment.timeline->event()) value:moment.value];]=]
      [=[      if (!planted("other_stream_not_waited_for"))
        [commands encodeWaitForEvent:as<id<MTLSharedEvent>>(moment.timeline->event()) value:moment.value];]=])
plant(commit.mm [=[threadsPerThreadgroup:MTLSizeMake(command.group_threads, 1, 1)]=]
      [=[threadsPerThreadgroup:MTLSizeMake(command.group_threads * (planted("large_threadgroups") ? 64 : 1), 1, 1)]=])

# References.
plant(memory.mm [=[buffer->object = hold(made);]=]
      [=[buffer->object = hold(made);
    if (planted("buffer_leaks")) static_cast<void>((__bridge_retained void*)made);
    if (planted("buffer_released_twice")) static_cast<void>((__bridge_transfer id)buffer->object.pointer());]=])
plant(pipelines.mm [=[pipeline = {hold(state), ]=]
      [=[if (planted("pipeline_leaks")) static_cast<void>((__bridge_retained void*)state);
    pipeline = {hold(state), ]=])
plant(memory.mm [=[const bool shared = unified_ || place == Place::host;]=]
      [=[const bool shared = unified_ || (place == Place::host && !planted("private_staging"));]=])

# Waiting.
plant(timeline.mm [=[if (is_over(commands)) return true;]=]
      [=[if (is_over(commands) || planted("no_wait")) return true;]=])
plant(timeline.mm [=[if (event.signaledValue < value) event.signaledValue = value;]=]
      [=[if (event.signaledValue < value && !planted("failure_not_signalled")) event.signaledValue = value;]=])
plant(timeline.mm [=[if (!failure_) failure_ = failure, failed_value_ = value;]=]
      [=[if (!failure_ && !planted("failure_forgotten")) failure_ = failure, failed_value_ = value;]=])
plant(timeline.mm [=[for (const Readback& r : flight.readbacks) std::memcpy]=]
      [=[for (const Readback& r : flight.readbacks) if (!planted("nothing_read_back")) std::memcpy]=])

# Noting.
plant(stream.cpp [=[batch.staged_bytes += std::min]=] [=[if (!planted("staging_shared")) batch.staged_bytes += std::min]=])
plant(stream.cpp [=[return !timeline_->failed() && timeline_->wait(timeline_->last(), 0);]=]
      [=[return planted("touched_while_busy") || (!timeline_->failed() && timeline_->wait(timeline_->last(), 0));]=])
plant(stream.cpp [=[if (batch.count != 0 || batch.after_count != 0) return false;]=]
      [=[if ((batch.count != 0 || batch.after_count != 0) && !planted("touched_while_noted")) return false;]=])
plant(stream.cpp [=[if (!is_whole(to) || !is_whole(from)) {]=]
      [=[if ((!is_whole(to) || !is_whole(from)) && !planted("odd_bytes_copied")) {]=])
plant(stream.cpp [=[if (!timeline_->reached(value)) static_cast<void>]=]
      [=[if (!timeline_->reached(value) && !planted("ring_overrun")) static_cast<void>]=])

file(WRITE "${OUT}" "${text}")
