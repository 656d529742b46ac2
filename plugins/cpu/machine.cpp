#include "machine.h"

#include <unistd.h>

#include <fstream>

namespace tenon::cpu {
namespace {

std::uint64_t pages_to_bytes(long pages) {
  const long page_bytes = sysconf(_SC_PAGESIZE);
  return pages <= 0 || page_bytes <= 0 ? 0 : static_cast<std::uint64_t>(pages) * static_cast<std::uint64_t>(page_bytes);
}

}  // namespace

HostMemory host_memory() {
#if defined(_SC_AVPHYS_PAGES)
  return {pages_to_bytes(sysconf(_SC_AVPHYS_PAGES)), pages_to_bytes(sysconf(_SC_PHYS_PAGES))};
#else
  return {0, pages_to_bytes(sysconf(_SC_PHYS_PAGES))};
#endif
}

std::string processor_name() {
  std::ifstream info("/proc/cpuinfo");
  for (std::string line; std::getline(info, line);) {
    const std::size_t colon = line.find(": ");
    if (line.starts_with("model name") && colon != std::string::npos) return line.substr(colon + 2);
  }
  return "processor";
}

const char* architecture() {
#if defined(__x86_64__)
  return "x86_64";
#elif defined(__aarch64__)
  return "aarch64";
#else
  return "other";
#endif
}

}  // namespace tenon::cpu
