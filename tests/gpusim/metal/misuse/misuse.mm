// misuse <case>: one wrong use of Metal, which the fake must find. `right` is the same without a mistake.
#import <Metal/Metal.h>
#include <dispatch/dispatch.h>

#include <cstdio>
#include <cstring>
#include <functional>
#include <map>
#include <string>

namespace {

/// What the cases have in common: a device, a queue, buffers of sixteen floats and the kernel that doubles them.
struct Bench {
  id<MTLDevice> device = [MTLCopyAllDevices() objectAtIndex:0];
  id<MTLCommandQueue> queue = [device newCommandQueue];
  id<MTLBuffer> x = buffer(64), y = buffer(64);
  id<MTLComputePipelineState> scale = pipeline("elementwise_scale");
  struct {
    unsigned count;
    float a, b;
  } constants{16, 2, 0};

  id<MTLBuffer> buffer(NSUInteger bytes) {
    return [device newBufferWithLength:bytes options:MTLResourceStorageModeShared];
  }
  id<MTLLibrary> library() {
    dispatch_data_t data = dispatch_data_create("MTLB", 4, nullptr, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
    return [device newLibraryWithData:data error:nil];
  }
  id<MTLComputePipelineState> pipeline(const char* name) {
    id<MTLFunction> function = [library() newFunctionWithName:[NSString stringWithUTF8String:name]];
    return [device newComputePipelineStateWithFunction:function error:nil];
  }
  void bind(id<MTLComputeCommandEncoder> encoder) {
    [encoder setComputePipelineState:scale];
    [encoder setBuffer:x offset:0 atIndex:0];
    [encoder setBuffer:y offset:0 atIndex:1];
    [encoder setBytes:&constants length:sizeof constants atIndex:2];
  }
  static void start(id<MTLComputeCommandEncoder> encoder, NSUInteger threads = 16) {
    [encoder dispatchThreadgroups:MTLSizeMake(1, 1, 1) threadsPerThreadgroup:MTLSizeMake(threads, 1, 1)];
  }
  static void finish(id<MTLCommandBuffer> commands) {
    [commands commit];
    [commands waitUntilCompleted];
  }
  /// One command buffer with one encoder of kernels, which `use` fills.
  void run(const std::function<void(id<MTLComputeCommandEncoder>)>& use) {
    id<MTLCommandBuffer> commands = [queue commandBuffer];
    id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
    use(encoder);
    [encoder endEncoding];
    finish(commands);
  }
  void copy(const std::function<void(id<MTLBlitCommandEncoder>)>& use) {
    id<MTLCommandBuffer> commands = [queue commandBuffer];
    id<MTLBlitCommandEncoder> encoder = [commands blitCommandEncoder];
    use(encoder);
    [encoder endEncoding];
    finish(commands);
  }
};

bool is_doubled(Bench& b) {
  auto* from = static_cast<float*>([b.x contents]);
  auto* to = static_cast<float*>([b.y contents]);
  for (int i = 0; i < 16; ++i) from[i] = static_cast<float>(i);
  b.run([&](auto encoder) { b.bind(encoder), Bench::start(encoder); });
  for (int i = 0; i < 16; ++i) {
    if (to[i] != 2 * static_cast<float>(i)) return false;
  }
  return true;
}

MTLCompileOptions* options() {
  MTLCompileOptions* made = [[MTLCompileOptions alloc] init];
  made.languageVersion = MTLLanguageVersion3_0;
  return made;
}

using Case = std::function<void(Bench&)>;
const std::map<std::string, Case> cases = {
    {"right",
     [](Bench& b) {
       if (!is_doubled(b)) std::printf("not doubled\n");
     }},
    {"encoder_not_ended",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       b.bind([commands computeCommandEncoder]);
     }},
    {"committed_while_encoding",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
       [commands commit];
       [encoder endEncoding];
     }},
    {"two_encoders_at_once",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
       static_cast<void>([commands blitCommandEncoder]);
       [encoder endEncoding];
     }},
    {"ended_twice", [](Bench& b) { b.run([](auto encoder) { [encoder endEncoding]; }); }},
    {"encoded_after_the_end",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       id<MTLComputeCommandEncoder> encoder = [commands computeCommandEncoder];
       [encoder endEncoding];
       b.bind(encoder);
     }},
    {"committed_twice",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       Bench::finish(commands);
       [commands commit];
     }},
    {"waited_for_without_commit", [](Bench& b) { [[b.queue commandBuffer] waitUntilCompleted]; }},
    {"nothing_bound",
     [](Bench& b) {
       b.run([&](auto encoder) {
         [encoder setComputePipelineState:b.scale];
         [encoder setBuffer:b.x offset:0 atIndex:0];
         [encoder setBytes:&b.constants length:sizeof b.constants atIndex:2];
         Bench::start(encoder);
       });
     }},
    {"no_pipeline", [](Bench& b) { b.run([](auto encoder) { Bench::start(encoder); }); }},
    {"index_that_is_not_there",
     [](Bench& b) { b.run([&](auto encoder) { [encoder setBuffer:b.x offset:0 atIndex:31]; }); }},
    {"offset_beyond_the_buffer",
     [](Bench& b) { b.run([&](auto encoder) { [encoder setBuffer:b.x offset:64 atIndex:0]; }); }},
    {"too_many_bytes",
     [](Bench& b) {
       const char much[5000] = {};
       b.run([&](auto encoder) { [encoder setBytes:much length:sizeof much atIndex:0]; });
     }},
    {"too_many_threads", [](Bench& b) { b.run([&](auto encoder) { b.bind(encoder), Bench::start(encoder, 2048); }); }},
    {"dispatch_of_nothing", [](Bench& b) { b.run([&](auto encoder) { b.bind(encoder), Bench::start(encoder, 0); }); }},
    {"empty_buffer", [](Bench& b) { static_cast<void>(b.buffer(0)); }},
    {"copy_of_odd_bytes",
     [](Bench& b) {
       b.copy(
           [&](auto encoder) { [encoder copyFromBuffer:b.x sourceOffset:0 toBuffer:b.y destinationOffset:0 size:7]; });
     }},
    {"copy_beyond_the_buffer",
     [](Bench& b) {
       b.copy([&](auto encoder) {
         [encoder copyFromBuffer:b.x sourceOffset:0 toBuffer:b.y destinationOffset:32 size:64];
       });
     }},
    {"copy_onto_itself",
     [](Bench& b) {
       b.copy([&](auto encoder) {
         [encoder copyFromBuffer:b.x sourceOffset:0 toBuffer:b.x destinationOffset:16 size:32];
       });
     }},
    {"fill_of_odd_bytes",
     [](Bench& b) { b.copy([&](auto encoder) { [encoder fillBuffer:b.x range:NSMakeRange(2, 4) value:0]; }); }},
    {"nobody_signals",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       [commands encodeWaitForEvent:[b.device newSharedEvent] value:1];
       Bench::finish(commands);
     }},
    {"signalled_backwards",
     [](Bench& b) {
       id<MTLSharedEvent> event = [b.device newSharedEvent];
       for (const std::uint64_t value : {2u, 1u}) {
         id<MTLCommandBuffer> commands = [b.queue commandBuffer];
         [commands encodeSignalEvent:event value:value];
         Bench::finish(commands);
       }
     }},
    {"time_of_work_under_way",
     [](Bench& b) {
       id<MTLCommandBuffer> commands = [b.queue commandBuffer];
       [commands commit];
       static_cast<void>(commands.GPUEndTime);
     }},
    {"strict_kernels_with_fast_mathematics",
     [](Bench& b) {
       static_cast<void>([b.device newLibraryWithSource:[NSString stringWithUTF8String:"kernel void rows_sum() {}"]
                                                options:options()
                                                  error:nil]);
     }},
    {"source_that_includes",
     [](Bench& b) {
       MTLCompileOptions* strict = options();
       strict.fastMathEnabled = NO;
       static_cast<void>([b.device newLibraryWithSource:[NSString stringWithUTF8String:"\n#include \"teams.h\"\n"]
                                                options:strict
                                                  error:nil]);
     }},
    {"leaked", [](Bench& b) { static_cast<void>((__bridge_retained void*)b.buffer(64)); }},
    {"released_twice",
     [](Bench& b) {
       void* kept = (__bridge_retained void*)b.buffer(64);
       static_cast<void>((__bridge_transfer id)kept);
       static_cast<void>((__bridge_transfer id)kept);
     }},
    {"used_after_it_was_deallocated",
     [](Bench& b) {
       void* gone = nullptr;
       @autoreleasepool {
         gone = (__bridge void*)b.buffer(64);
       }
       std::printf("%lu\n", [(__bridge id<MTLBuffer>)gone length]);
     }},
};

}  // namespace

int main(int count, char** words) {
  if (count == 2 && std::strcmp(words[1], "without_a_pool") == 0) {
    static_cast<void>([NSString stringWithUTF8String:"nobody drains me"]);
    return 0;
  }
  const auto known = count == 2 ? cases.find(words[1]) : cases.end();
  if (known == cases.end()) {
    std::fprintf(stderr, "usage: metal_misuse <case>\n");
    return 2;
  }
  @autoreleasepool {
    Bench bench;
    known->second(bench);
  }
  return 0;
}
