// kernels.h: what is compiled once for each instruction set, and the choice among the results.
//
// isa_*.cpp include the loops below loops/ under their own target and fill a Kernels each; everything else here is
// compiled for the baseline. Two rules keep an instruction that the machine lacks from being met: what a loop calls is
// either defined below loops/, or inline code that stands before the target is set, so that a copy of it outside the
// loop is one for the baseline; and no function below loops/ has a name outside its instruction set's namespace.
//
// The bits are the reference's: a loop applies the reference's own functions and steps to the elements, in registers of
// another width. Constant data and pure functions; any thread.
#pragma once
#include "../reference/functions.h"
#include "../reference/update_rules.h"
#include "isa.h"

// The elements of a loop have nothing to do with each other, even where its result stands in an operand's storage.
#if defined(__clang__)
#define TENON_ANY_ORDER _Pragma("clang loop vectorize(assume_safety)")
#else
#define TENON_ANY_ORDER _Pragma("GCC ivdep")
#endif

namespace tenon::cpu::native {

// -- elementwise --------------------------------------------------------------------------------------------

template <class Function, class Call = decltype(&Function::operator())>
struct Loop;

/// output[i] = function(operands[i] ...) for i < count; the output may be one of the operands.
template <class Function, class T, class... Operand>
struct Loop<Function, T (Function::*)(Operand...) const> {
  using Run = void (*)(const Function& function, std::uint64_t count, T* output, const Operand*... operands);
  Run run;
};

template <class... Entry>
struct Table : Entry... {};

template <class T>
using Functions =
    Table<Loop<reference::Add<T>>, Loop<reference::Sub<T>>, Loop<reference::Mul<T>>, Loop<reference::Div<T>>,
          Loop<reference::Maximum<T>>, Loop<reference::Minimum<T>>, Loop<reference::Scale<T>>, Loop<reference::Neg<T>>,
          Loop<reference::Relu<T>>, Loop<reference::Sqrt<T>>, Loop<reference::Abs<T>>, Loop<reference::MaximumGrad<T>>,
          Loop<reference::MinimumGrad<T>>, Loop<reference::ReluGrad<T>>, Loop<reference::SigmoidGrad<T>>,
          Loop<reference::TanhGrad<T>>, Loop<reference::SqrtGrad<T>>>;

// -- updates ------------------------------------------------------------------------------------------------

/// Values that a step changes beside the parameter.
template <class Rule>
inline constexpr std::uint32_t state_count = plugin::detail::Types<typename Rule::dtypes>::results - 1;

/// Where the values of one update stand; results may be their operands.
template <class T, std::uint32_t States>
struct Updated {
  const T *parameters, *gradients;
  T* new_parameters;
  const T* states[States + 1];  // one more, since there may be none
  T* new_states[States + 1];
};

/// step(parameter, gradient, state ...) for the elements from begin up to end.
template <class T, class Rule>
struct UpdateLoop {
  using Run = void (*)(const typename Rule::Step& step, const Updated<T, state_count<Rule>>& values,
                       std::uint64_t begin, std::uint64_t end);
  Run run;
};

template <class T>
using Updates = Table<UpdateLoop<T, reference::SgdRule<T>>, UpdateLoop<T, reference::MomentumRule<T>>,
                      UpdateLoop<T, reference::AdamRule<T>>, UpdateLoop<T, reference::AdamwRule<T>>>;

// -- sums and products --------------------------------------------------------------------------------------

/// A strip of a matrix product: output (rows, columns) gets, or has added, left (rows, depth) times right (depth,
/// columns), each element in ascending order of the depth. Strides are distances between rows, in elements.
template <class T>
struct Strip {
  const T* left;
  std::uint64_t left_stride;
  const T* right;  // rows of Kernels::strip_columns elements, of which the first `columns` count
  T* output;
  std::uint64_t output_stride;
  std::uint64_t rows, depth, columns;
  bool begins;  // the sums begin at +0; else at what the output has
};

/// The bytes of a strip's row: two vectors.
inline constexpr std::uint64_t most_strip_bytes = 128;

template <class T>
struct Kernels : Functions<T>, Updates<T> {
  T (*tree_sum)(const T* x, std::uint64_t count);  // strict::tree_sum of x[0] ... x[count - 1]

  std::uint64_t strip_columns;
  void (*multiply_strip)(const Strip<T>& strip);        // product rounded, then added
  void (*multiply_strip_fused)(const Strip<T>& strip);  // fused where the instruction set can, else as the other
};

template <class T>
const Kernels<T>& kernels(Isa isa);

}  // namespace tenon::cpu::native
