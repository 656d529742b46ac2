// machine.h: what the operating system says about the processor and its memory. Pure queries; any thread.
#pragma once
#include <cstdint>
#include <string>

namespace tenon::cpu {

struct HostMemory {
  std::uint64_t free_bytes, total_bytes;  // 0 where the system does not say
};

HostMemory host_memory();

/// "AMD EPYC 7B13"; "processor" where the system does not say.
std::string processor_name();

/// "x86_64", "aarch64"
const char* architecture();

}  // namespace tenon::cpu
