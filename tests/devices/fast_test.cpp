// What --dtype float32:fast and float may change: each saved number of a training stays near the strict one.
//
// How near. `tenon check` holds a kernel of these models to 2e-5 of the size of its result, the figure of the cases of
// products, normalisers and losses. A chain of at most 32 kernels leads from a step's parameters to a gradient, so a
// gradient is within 32 x 2e-5 of its tensor's size; and so is what sgd and momentum make of it, which is a sum of
// gradients: how far a number moved in all steps, against the farthest that one of its tensor did. Beside that each
// step rounds the number itself to binary32. An optimizer that divides by a gradient's own size has no such bound:
// where the gradient is rounding alone, so is its direction.
#include <cmath>
#include <cstring>

#include "devices.h"
#include "tenon/safetensors.h"

namespace tenon::test {
namespace {

constexpr double kernel = 2e-5, chain = 32;
constexpr int steps = 10;

std::vector<double> numbers_of(const NamedTensor& tensor) {
  const auto all = [&]<class T>(T) {
    std::vector<T> values(tensor.bytes.size() / sizeof(T));
    std::memcpy(values.data(), tensor.bytes.data(), tensor.bytes.size());
    return std::vector<double>(values.begin(), values.end());
  };
  if (tensor.dtype == DType::f64) return all(double());
  return tensor.dtype == DType::f32 ? all(float()) : all(std::uint32_t());
}

/// How far a number of a tensor lies from the strict one, as a multiple of what it may: the farthest.
double deviation(const std::vector<double>& found, const std::vector<double>& strict,
                 const std::vector<double>& start) {
  if (found.size() != strict.size() || start.size() != strict.size()) return INFINITY;
  double moved = 0, worst = 0;
  for (std::size_t i = 0; i < strict.size(); ++i) moved = std::max(moved, std::abs(strict[i] - start[i]));
  for (std::size_t i = 0; i < strict.size(); ++i) {
    if (found[i] == strict[i]) continue;
    const double may = chain * kernel * moved + steps * 0x1p-24 * std::max(std::abs(strict[i]), std::abs(start[i]));
    const double ratio = std::abs(found[i] - strict[i]) / may;
    worst = std::max(worst, std::isfinite(ratio) ? ratio : INFINITY);
  }
  return worst;
}

TensorFile read(const fs::path& file) {
  result<TensorFile> tensors = read_safetensors(file);
  EXPECT_TRUE(tensors.has_value()) << file;
  return tensors.has_value() ? *std::move(tensors) : TensorFile();
}

class FastModes : public OnEveryDevice {
 protected:
  /// Answers what the runs said.
  std::string train(const std::string& folder, int for_steps, const Words& flags) const {
    return train_all(folder, {for_steps, {"--optimizer", "sgd", "--rate", "0.1"}, {"sgd", "momentum"}},
                     flags + Words{"--seed", "7", "--show-backend"});
  }
  void train_strictly() const {
    train("start", 0, on("cpu") + Words{"--dtype", "float32"});
    train("strict", steps, on("cpu") + Words{"--dtype", "float32"});
  }
  /// Of a file of the folder: the worst of its tensors.
  double deviation_in(const std::string& folder, const std::string& name) const {
    const TensorFile found = read(place / folder / name), strict = read(place / "strict" / name),
                     start = read(place / "start" / name);
    double worst = strict.tensors.empty() ? INFINITY : 0;
    for (const NamedTensor& tensor : strict.tensors) {
      const NamedTensor *one = found.find(tensor.name), *before = start.find(tensor.name);
      if (one == nullptr || before == nullptr) return INFINITY;
      worst = std::max(worst, deviation(numbers_of(*one), numbers_of(tensor), numbers_of(*before)));
    }
    return worst;
  }
  Words files() const {
    Words out;
    for (const auto& entry : fs::directory_iterator(place / "strict")) out.push_back(entry.path().filename());
    EXPECT_EQ(out.size(), models_with_data(place).size() + 2);
    return out;
  }
};

TEST_P(FastModes, StayWithinTheDeclaredTolerance) {
  train_strictly();
  for (const char* dtype : {"float32:fast", "float"}) {
    const std::string said = train(dtype, steps, on(kind) + Words{"--dtype", dtype});
    if (is_gpu_of_a_vendor(kind) || kind == "cpu") {
      EXPECT_TRUE(contains(said, kind + ".native.fast.")) << said;
    }
    for (const std::string& file : files()) EXPECT_LE(deviation_in(dtype, file), 1) << file << ", " << dtype;
  }
}

INSTANTIATE_TEST_SUITE_P(On, FastModes, every_kind_of_device, name_of_kind);

class APlantedFault : public FastModes {};

TEST_P(APlantedFault, OfOnePartIn256IsSeen) {
  train_strictly();
  const std::string plugin = TENON_TEST_BUILD_DIR "/test-plugins/slightly_wrong/slightly_wrong.tenon.json";
  const std::string said = train("wrong", steps,
                                 on("cpu") + Words{"--dtype", "float32:fast", "--plugin", plugin, "--provider",
                                                   "prefer:planted", "--assurance", "external"});
  EXPECT_TRUE(contains(said, "planted.relu.f32")) << said;
  for (const std::string& file : files()) {
    if (file == "linear") continue;  // has no relu
    EXPECT_GT(deviation_in("wrong", file), 1) << file;
  }
}

INSTANTIATE_TEST_SUITE_P(On, APlantedFault, testing::Values("cpu"), name_of_kind);

}  // namespace
}  // namespace tenon::test
