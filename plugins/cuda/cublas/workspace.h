// workspace.h: how much memory of ours cuBLAS gets for each stream. Pure; any thread.
#pragma once
#include <cstdint>
#include <string_view>

namespace tenon::gpu::cublas {

/// What NVIDIA recommends for an architecture ("sm_90", the table of cublasSetWorkspace), or what the user configured:
/// CUBLAS_WORKSPACE_CONFIG, ":KIB:COUNT" once or more, as cuBLAS reads it for the workspaces that it allocates itself.
std::uint64_t workspace_bytes(std::string_view architecture, std::string_view configured);

}  // namespace tenon::gpu::cublas
