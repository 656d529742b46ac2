// scalar_module.h: a module that can be evaluated, differentiated and trained: parameters on a device, typed by shape.
//
// Made by instantiate.h. Owns its parameters; evaluators share them. One thread at a time. A loss that is returned is
// the one before the update. The loss program sees itself in training everywhere but in mean_loss, the forward program
// in evaluation.
#pragma once
#include <cstring>

#include "tenon/contain.h"
#include "tenon/module_inputs.h"
#include "tenon/optimizers.h"
#include "tenon/tensor_pack.h"

namespace tenon {

template <class Scalar, ShapeList P>
struct LossAndGradients {
  Scalar loss;
  TensorPack<Scalar, P> gradients;  // zeros for frozen parameters
};

namespace detail {

template <class Scalar, Shape S>
result<HostTensorOf<Scalar, S>> evaluate(ModuleCore& core, const Batch& given) {
  TENON_TRY(const std::vector<double> values, core.session().evaluate(given));
  return HostTensorOf<Scalar, S>(core.session().result_shape(), std::vector<Scalar>(values.begin(), values.end()));
}

/// Values as stored to the module's scalar: rounded once where the device stores more, exact where it stores less.
template <class Scalar>
std::vector<Scalar> loaded(std::span<const std::byte> bytes, DType stored) {
  std::vector<Scalar> values(bytes.size() / size_bytes(stored));
  const auto load = [&]<class Stored>(Stored) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      Stored value;
      std::memcpy(&value, bytes.data() + i * sizeof value, sizeof value);
      values[i] = static_cast<Scalar>(value);
    }
  };
  stored == DType::f64 ? load(double{}) : load(float{});
  return values;
}

template <class Scalar>
std::vector<std::byte> stored_as(std::span<const Scalar> values, DType stored) {
  std::vector<std::byte> bytes(values.size() * size_bytes(stored));
  const auto store = [&]<class Stored>(Stored) {
    for (std::size_t i = 0; i < values.size(); ++i) {
      const auto value = static_cast<Stored>(values[i]);
      std::memcpy(bytes.data() + i * sizeof value, &value, sizeof value);
    }
  };
  stored == DType::f64 ? store(double{}) : store(float{});
  return bytes;
}

template <class Scalar, ShapeList L>
result<TensorPack<Scalar, L>> pack_of(std::span<const std::vector<std::byte>> values, DType stored) {
  typename TensorPack<Scalar, L>::Arrays arrays;
  for (std::size_t i = 0; i < values.size(); ++i) arrays[i] = loaded<Scalar>(values[i], stored);
  return TensorPack<Scalar, L>::of_arrays(std::move(arrays));
}

template <class Scalar, ShapeList L>
std::vector<std::vector<std::byte>> values_of(const TensorPack<Scalar, L>& pack, DType stored) {
  std::vector<std::vector<std::byte>> values;
  for (const auto& array : pack.arrays()) values.push_back(stored_as(std::span<const Scalar>(array), stored));
  return values;
}

}  // namespace detail

/// The forward program over the live parameters of a module; outlives the module's own handle.
template <class Scalar, ShapeList I, ShapeList N, Output out>
class Evaluator {
 public:
  explicit Evaluator(std::shared_ptr<ModuleCore> core) : core_(std::move(core)) {}

  /// The first inputs and natural inputs only: targets are the loss's.
  template <class... Given>
  result<HostTensorOf<Scalar, out.shape>> operator()(const Given&... given) const {
    using Reals = detail::First<I, out.reals>;
    using Naturals = detail::First<N, out.naturals>;
    if constexpr (!detail::wrong_inputs<Scalar, Reals, Naturals, Given...>.empty()) {
      refuse<detail::wrong_inputs<Scalar, Reals, Naturals, Given...>>();
      return fail(Reason::INVALID_ARGUMENT, "");
    } else {
      return contained("module", [&] {
        Batch& inputs = core_->scratch();
        (detail::add_input(inputs, given), ...);
        return detail::evaluate<Scalar, out.shape>(*core_, inputs);
      });
    }
  }

 private:
  std::shared_ptr<ModuleCore> core_;
};

template <class S, ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St = Shapes<>>
class ScalarModule {
 public:
  using Scalar = S;
  using Params = P;
  using Inputs = I;
  using NatInputs = N;
  using States = St;
  using Pack = TensorPack<Scalar, P>;

  explicit ScalarModule(ModuleCore core) : core_(std::make_shared<ModuleCore>(std::move(core))) {}
  ScalarModule(ScalarModule&&) noexcept = default;
  ScalarModule& operator=(ScalarModule&&) noexcept = default;

  /// The forward program, without a tape.
  template <class... Given>
  auto evaluate(const Given&... given) const {
    return evaluator()(given...);
  }
  auto evaluator() const { return Evaluator<Scalar, I, N, out>(core_); }

  /// The loss, as a step would compute it.
  template <class... Given>
  result<Scalar> forward(const Given&... given) {
    return with_inputs<Scalar>(
        [](ModuleCore& core, const Batch& inputs) { return core.session().training_loss(inputs); }, given...);
  }

  /// The loss's gradient for each parameter; zeros for frozen ones.
  template <class... Given>
  result<Pack> backward(const Given&... given) {
    TENON_TRY(auto both, loss_and_backward(given...));
    return std::move(both.gradients);
  }

  template <class... Given>
  result<LossAndGradients<Scalar, P>> loss_and_backward(const Given&... given) {
    return with_inputs<LossAndGradients<Scalar, P>>(
        [](ModuleCore& core, const Batch& inputs) -> result<LossAndGradients<Scalar, P>> {
          TENON_TRY(auto both, core.session().loss_and_gradients(inputs));
          typename Pack::Arrays arrays;
          for (std::size_t i = 0; i < arrays.size(); ++i)
            arrays[i].assign(both.gradients[i].begin(), both.gradients[i].end());
          TENON_TRY(Pack gradients, Pack::of_arrays(std::move(arrays)));
          return LossAndGradients<Scalar, P>{static_cast<Scalar>(both.loss), std::move(gradients)};
        },
        given...);
  }

  /// One step of plain gradient descent.
  template <class... Given>
  result<Scalar> step_with_loss(double rate, const Given&... given) {
    return with_inputs<Scalar>([rate](ModuleCore& core, const Batch& inputs) { return core.step(inputs, rate); },
                               given...);
  }
  template <class... Given>
  result<void> step(double rate, const Given&... given) {
    TENON_CHECK(step_with_loss(rate, given...));
    return {};
  }

  /// A handle with the optimizer's state for this module's parameters; it lives no longer than the module.
  result<Optimizer> init_optim(const OptimizerSpec& spec) { return core_->session().init_optim(spec); }
  template <class... Given>
  result<Scalar> step_with(Optimizer& optimizer, double rate, const Given&... given) {
    return with_inputs<Scalar>(
        [&optimizer, rate](ModuleCore& core, const Batch& inputs) { return core.step_with(optimizer, inputs, rate); },
        given...);
  }

  /// Goes through a data set in batches of rows: one forward for each step.
  template <class... Given>
  result<TrainingReport> train_sgd(const Training& how, const Given&... given) {
    return with_rows<TrainingReport>([&how](ModuleCore& core, DataSet& data) { return core.train(nullptr, how, data); },
                                     given...);
  }
  template <class... Given>
  result<TrainingReport> train_with(Optimizer& optimizer, const Training& how, const Given&... given) {
    return with_rows<TrainingReport>([&](ModuleCore& core, DataSet& data) { return core.train(&optimizer, how, data); },
                                     given...);
  }
  /// The loss over a data set, as in evaluation, in batches of `rows`.
  template <class... Given>
  result<Scalar> mean_loss(std::uint64_t rows, const Given&... given) {
    return with_rows<Scalar>([rows](ModuleCore& core, DataSet& data) { return core.mean_loss(data, rows); }, given...);
  }

  /// Reads the parameters back, once for as long as they do not change.
  result<Pack> params() const {
    return contained("module", [&]() -> result<Pack> {
      TENON_TRY(const auto values, core_->parameters());
      return detail::pack_of<Scalar, P>(values, core_->real());
    });
  }
  /// All or nothing.
  result<void> set_params(const Pack& pack) {
    return contained("module", [&] { return core_->set_parameters(detail::values_of(pack, core_->real())); });
  }

  result<TensorPack<Scalar, St>> states() const {
    return contained("module", [&]() -> result<TensorPack<Scalar, St>> {
      TENON_TRY(const auto values, core_->session().read_states());
      return detail::pack_of<Scalar, St>(values, core_->real());
    });
  }
  result<void> set_states(const TensorPack<Scalar, St>& pack) {
    return contained("module", [&] { return core_->session().set_states(detail::values_of(pack, core_->real())); });
  }

  /// By run-time shapes: what this class is a typed view of.
  ModuleCore& core() { return *core_; }
  const ModuleCore& core() const { return *core_; }

 private:
  template <class R, class Call, class... Given>
  result<R> with_inputs(const Call& call, const Given&... given) {
    if constexpr (!detail::wrong_inputs<Scalar, I, N, Given...>.empty()) {
      refuse<detail::wrong_inputs<Scalar, I, N, Given...>>();
      return fail(Reason::INVALID_ARGUMENT, "");
    } else {
      return contained("module", [&]() -> result<R> {
        Batch& inputs = core_->scratch();
        (detail::add_input(inputs, given), ...);
        auto answer = call(*core_, inputs);
        if (!answer) return fail(std::move(answer).error());
        return static_cast<R>(*std::move(answer));
      });
    }
  }

  template <class R, class Call, class... Given>
  result<R> with_rows(const Call& call, const Given&... given) {
    return with_inputs<R>(
        [&](ModuleCore& core, const Batch& inputs) {
          DataSet data{inputs, detail::inputs_with_rows<I, N>()};
          return call(core, data);
        },
        given...);
  }

  std::shared_ptr<ModuleCore> core_;
};

/// All or nothing: an initialiser that is refused, or an allocation that fails, leaves every parameter as it was.
template <class S, ShapeList P, ShapeList I, ShapeList N, Output out, ShapeList St>
result<void> apply_plan(ScalarModule<S, P, I, N, out, St>& module, const std::type_identity_t<Plan<P>>& plan) {
  return module.core().apply_plan(plan.to_array());
}

/// The module of a model struct, for signatures: `void report(ModuleOf<float, Mlp>& net)`.
template <class Scalar, class M>
using ModuleOf =
    ScalarModule<Scalar, ParamsOf<M>, InputsOf<M>, NatInputsOf<M>, detail::ForwardOf<M>::output, StatesOf<M>>;

}  // namespace tenon
