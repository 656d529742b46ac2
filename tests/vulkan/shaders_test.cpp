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

/// Every instruction `op` after its first word, in order.
std::vector<std::vector<std::uint32_t>> every(std::uint32_t op, Words module) {
  std::vector<std::vector<std::uint32_t>> found;
  for_each_instruction(module, [&](std::uint32_t is, Words words) {
    if (is == op) found.emplace_back(words.begin() + 1, words.end());
  });
  return found;
}

/// Sections are in the order that SPIR-V wants: capabilities, entry points, execution modes, decorations, types.
void expect_order(Words module) {
  std::uint32_t last = 0;
  for_each_instruction(module, [&](std::uint32_t op, Words) {
    const std::uint32_t section = op == 17 ? 1 : op == 15 ? 2 : op == 16 ? 3 : op == 71 ? 4 : op == 19 ? 5 : 0;
    if (section == 0) return;
    EXPECT_LE(last, section);
    last = section;
  });
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
    EXPECT_EQ(open_to_contraction(strict_module(shader.binary32, {})), 0u) << shader.name;
    EXPECT_EQ(open_to_contraction(strict_module(shader.binary64, {})), 0u) << shader.name;
  }
}

TEST(Shaders, AskForTheArithmeticThatADeviceCanBeTold) {
  const FloatControls all{{true, true}, {true, true}, {true, true}}, some{{true, false}, {}, {false, true}};
  for (const Shader& shader : shaders) {
    const auto plain = strict_module(shader.binary64, {}), told = strict_module(shader.binary64, all);
    EXPECT_EQ(every(17, told).size(), every(17, plain).size() + 3) << shader.name;
    EXPECT_EQ(every(16, told).size(), every(16, plain).size() + 6) << shader.name;
    EXPECT_EQ(every(16, strict_module(shader.binary64, some)).size(), every(16, plain).size() + 2) << shader.name;
    expect_order(told);
  }
  const auto told = strict_module(shaders[0].binary32, all);
  const std::uint32_t entry = every(15, told).at(0).at(1);
  std::vector<std::vector<std::uint32_t>> expected;
  for (const std::uint32_t mode : {4459u, 4461u, 4462u})  // DenormPreserve, SignedZeroInfNanPreserve, RoundingModeRTE
    for (const std::uint32_t bits : {32u, 64u}) expected.push_back({entry, mode, bits});
  auto modes = every(16, told);
  std::erase_if(modes, [](const auto& mode) { return mode.at(1) < 4459; });
  EXPECT_EQ(modes, expected);
}

}  // namespace
}  // namespace tenon::vulkan
