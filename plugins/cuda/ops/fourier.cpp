// fft_fno: transform, mix channels, transform back (kernels/fourier.cu).
#include "native.h"

namespace tenon::gpu {
namespace {

constexpr std::string_view family = "fourier";

Spectrum spectrum_of(const SignatureView& signature, const TensorView& x, const TensorView& y,
                     const TensorView& weight) {
  const std::uint64_t points = x.rank() < 2 ? 0 : extent(x, 1), modes = weight.rank() != 3 ? 0 : extent(weight, 3);
  if (x.rank() < 2 || weight.rank() != 3 || y.rank() != x.rank() || modes > points / 2 + 1 ||
      x.extent_from_end(2) != weight.extent(1) || y.extent_from_end(2) != weight.extent(2)) {
    refuse("[", signature.op(), "] x ", x.shape(), ", weights ", weight.shape(), ", result ", y.shape());
  }
  std::uint64_t samples = 1;
  for (std::size_t axis = 0; axis + 2 < x.rank(); ++axis) samples *= static_cast<std::uint64_t>(x.extent(axis));
  return {points, modes, samples, extent(x, 2), extent(y, 2)};
}

/// The table of turns, and the launches that need it.
template <class T>
class Transforms {
 public:
  Transforms(Plan& plan, const Spectrum& spectrum)
      : plan_(plan),
        spectrum_(spectrum),
        cosines(plan.workspace(spectrum.points * sizeof(T))),
        sines(plan.workspace(spectrum.points * sizeof(T))) {
    plan.launch_threads(family, "fourier_turns", spectrum.points, spectrum.points, cosines, sines);
  }

  /// A place for the modes of all samples' channels.
  Workspace modes(std::uint64_t channels) {
    return plan_.workspace(spectrum_.samples * channels * spectrum_.width() * sizeof(T));
  }
  /// The modes of the channels of an operand.
  Workspace of(std::uint32_t operand, std::uint64_t channels) {
    const Workspace to = modes(channels);
    const std::uint64_t rows = spectrum_.samples * channels;
    plan_.launch_threads(family, "fourier_transform", rows * spectrum_.modes, spectrum_, rows, to, Operand{operand},
                         cosines, sines);
    return to;
  }

 private:
  Plan& plan_;
  Spectrum spectrum_;

 public:
  const Workspace cosines, sines;
};

/// (x, w_re, w_im)
template <class T>
struct FftFno : Folds {
  using dtypes = T(T, T, T);
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Spectrum spectrum = spectrum_of(s, s.operand(0), s.output(), s.operand(1));
    if (s.operand(2).elements() != s.operand(1).elements())
      refuse("[fft_fno] w_re ", s.operand(1).shape(), ", w_im ", s.operand(2).shape());
    const std::uint64_t rows = spectrum.samples * spectrum.outputs;
    Transforms<T> transforms(plan, spectrum);
    const Workspace from = transforms.of(0, spectrum.inputs), to = transforms.modes(spectrum.outputs);
    plan.launch_threads(family, "fourier_mix", rows * spectrum.modes, spectrum, to, from, Operand{1}, Operand{2});
    plan.launch_threads(family, "fourier_restore", rows * spectrum.points, spectrum, Output{}, to, transforms.cosines,
                        transforms.sines);
  }
};

/// (x, upstream, weight): the gradients for w_re, then for w_im.
template <class T>
struct FftFnoGradWeight : Folds, NotDifferentiable {
  using dtypes = T(T, T, T);
  static void plan(Plan& plan) {
    const SignatureView& s = plan.signature();
    const Spectrum spectrum = spectrum_of(s, s.operand(0), s.operand(1), s.operand(2));
    const std::uint64_t weights = s.operand(2).elements();
    if (s.output().elements() != 2 * weights)
      refuse("[fft_fno_grad_weight] weight ", s.operand(2).shape(), ", result ", s.output().shape());
    Transforms<T> transforms(plan, spectrum);
    const Workspace x = transforms.of(0, spectrum.inputs), upstream = transforms.of(1, spectrum.outputs);
    plan.launch_threads(family, "fourier_weight_gradient", weights, spectrum, Output{}, x, upstream);
  }
};

TENON_CAPSULES capsules = plugin::join(both<"fft_fno", FftFno>, both<"fft_fno_grad_weight", FftFnoGradWeight>);

}  // namespace
}  // namespace tenon::gpu
