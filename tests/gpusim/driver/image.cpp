#include "image.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <string_view>

namespace gpusim::driver {
namespace {

template <class T>
T at(const void* base, std::size_t offset) {
  T value;
  std::memcpy(&value, static_cast<const char*>(base) + offset, sizeof value);
  return value;
}

// -- CUDA: the layout is that of fatbinary_section.h and fatBinaryCtl.h, and of what nvcc 13 writes ----------------

constexpr std::uint32_t fatbin_magic = 0xba55ed50, wrapper_magic = 0x466243b1;
constexpr std::uint16_t kind_ptx = 1, kind_elf = 2;

bool serves(std::uint16_t kind, unsigned built, unsigned wanted) {
  if (kind == kind_ptx) return built <= wanted;
  return kind == kind_elf && built / 10 == wanted / 10 && built <= wanted;
}

Status check_fatbin(const void* image, unsigned wanted) {
  const std::size_t header_bytes = at<std::uint16_t>(image, 6), all_bytes = at<std::uint64_t>(image, 8);
  for (std::size_t offset = header_bytes; offset < header_bytes + all_bytes;) {
    const auto kind = at<std::uint16_t>(image, offset);
    const auto architecture = at<std::uint32_t>(image, offset + 28);
    if (serves(kind, architecture, wanted)) return success;
    offset += at<std::uint32_t>(image, offset + 4) + at<std::uint64_t>(image, offset + 8);
  }
  return no_binary_for_gpu;
}

Status check_cuda(const void* image, unsigned wanted) {
  const auto magic = at<std::uint32_t>(image, 0);
  if (magic == wrapper_magic) return check_cuda(at<const void*>(image, 8), wanted);
  if (magic == fatbin_magic) return check_fatbin(image, wanted);
  if (std::memcmp(image, "\177ELF", 4) == 0) return success;
  // PTX is text that begins with comments and then names its version.
  const std::string_view text(static_cast<const char*>(image), strnlen(static_cast<const char*>(image), 4096));
  return text.find(".version") != std::string_view::npos ? success : invalid_image;
}

// -- HIP: clang's offload bundle (Clang documentation, "Clang Offload Bundler") ------------------------------------

constexpr std::string_view bundle_magic = "__CLANG_OFFLOAD_BUNDLE__";

Status check_hip(const void* image, const std::string& wanted) {
  if (std::memcmp(image, "\177ELF", 4) == 0) return success;
  if (std::memcmp(image, bundle_magic.data(), bundle_magic.size()) != 0) return invalid_image;
  std::size_t offset = bundle_magic.size() + 8;
  for (auto left = at<std::uint64_t>(image, bundle_magic.size()); left > 0; --left) {
    const auto id_bytes = at<std::uint64_t>(image, offset + 16);
    const std::string_view id(static_cast<const char*>(image) + offset + 24, id_bytes);
    const std::string_view target = id.substr(id.rfind("--") == std::string_view::npos ? 0 : id.rfind("--") + 2);
    if (target.substr(0, target.find(':')) == wanted) return success;
    offset += 24 + id_bytes;
  }
  return no_binary_for_gpu;
}

}  // namespace

Status check_image(const void* image, const std::string& architecture) {
  if (architecture.starts_with("sm_")) return check_cuda(image, unsigned(std::atoi(architecture.c_str() + 3)));
  return check_hip(image, architecture);
}

}  // namespace gpusim::driver
