// manifest.h: what a plugin says about itself in `<name>.tenon.json`, read without loading it. Plain data.
#pragma once
#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "tenon/result.h"

namespace tenon {

struct ManifestDevice {
  std::string kind;          // "cpu"
  std::string device_class;  // cpu, gpu, npu, other
  bool software = false;     // computes on the host although it is not the portable CPU
};

struct Manifest {
  std::string id, vendor, version;
  std::filesystem::path library;  // absolute
  std::vector<ManifestDevice> devices;
  std::uint32_t abi_min = 0, abi_max = 0;
  std::string architecture;  // "x86_64"
  std::string build_id;      // GNU build-id in hex; empty if the library has none
};

TENON_API result<Manifest> read_manifest(const std::filesystem::path& file);

}  // namespace tenon
