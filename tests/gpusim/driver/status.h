// status.h: what the functions of both vendors' drivers give back. The numbers are cuda.h's and hip_runtime_api.h's,
// which agree in all of these; cuda/ and hip/ assert that against the headers.
#pragma once

namespace gpusim::driver {

using Status = int;

inline constexpr Status success = 0, invalid_value = 1, out_of_memory = 2, not_initialised = 3, no_device = 100,
                        invalid_device = 101, invalid_image = 200, invalid_context = 201, no_binary_for_gpu = 209,
                        invalid_handle = 400, not_found = 500, not_ready = 600, illegal_address = 700,
                        out_of_resources = 701, launch_failed = 719, not_permitted = 800;

/// Errors that stay: "This leaves the process in an inconsistent state and any further CUDA work will return the same
/// error" (CUDA Driver API, CUresult).
inline constexpr bool stays(Status status) {
  return status == 214 || status == 220 || (status >= 700 && status <= 720 && status != out_of_resources);
}

}  // namespace gpusim::driver
