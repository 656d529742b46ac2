// The embedded modules: what the driver is given may fuse nothing.
#include <gtest/gtest.h>

#include <set>

#include "shaders.h"
#include "spirv.h"

namespace tenon::vulkan {
namespace {

using Words = std::span<const std::uint32_t>;

template <class Visit>
void for_each_instruction(Words module, const Visit& visit) {
  for (std::size_t at = 5; at < module.size(); at += module[at] >> 16)
    visit(module[at] & 0xffff, module.subspan(at, module[at] >> 16));
}

/// Results of OpFNegate, OpFAdd, OpFSub, OpFMul and OpFDiv that are not decorated NoContraction.
std::size_t open_to_contraction(Words module) {
  std::set<std::uint32_t> decorated, computed;
  for_each_instruction(module, [&](std::uint32_t op, Words words) {
    if (op == 71 && words[2] == 42) decorated.insert(words[1]);
    if (op == 127 || op == 129 || op == 131 || op == 133 || op == 136) computed.insert(words[2]);
  });
  std::size_t open = 0;
  for (const std::uint32_t id : computed) open += decorated.contains(id) ? 0 : 1;
  return open;
}

TEST(Shaders, AreThereForBothTypes) {
  EXPECT_GT(std::size(shaders), 80u);
  for (const Shader& shader : shaders) {
    EXPECT_EQ(shader.binary32[0], 0x07230203u) << shader.name;
    EXPECT_EQ(shader.binary64[0], 0x07230203u) << shader.name;
  }
}

TEST(Shaders, ComeFromTheCompilerOpenToContraction) {
  EXPECT_GT(open_to_contraction(shaders[shader("products.matmul")].binary32), 0u);
}

TEST(Shaders, AreGivenToTheDriverWithoutContraction) {
  for (const Shader& shader : shaders) {
    EXPECT_EQ(open_to_contraction(without_contraction(shader.binary32)), 0u) << shader.name;
    EXPECT_EQ(open_to_contraction(without_contraction(shader.binary64)), 0u) << shader.name;
  }
}

}  // namespace
}  // namespace tenon::vulkan
