// optimizers.h: the optimizers by name, with PyTorch's defaults. The rate is given at each step. Plain values.
#pragma once
#include <algorithm>
#include <array>

#include "tenon/session.h"

namespace tenon::optim {

inline OptimizerSpec sgd() { return {Op::sgd, NoAttributes{}}; }
inline OptimizerSpec momentum(Momentum with = {}) { return {Op::momentum, with}; }
inline OptimizerSpec adagrad(Adagrad with = {}) { return {Op::adagrad, with}; }
inline OptimizerSpec rmsprop(Rmsprop with = {}) { return {Op::rmsprop, with}; }
inline OptimizerSpec adam(Moments with = {}) { return {Op::adam, with}; }
inline OptimizerSpec adamw(Moments with = {.decay = 0.01}) { return {Op::adamw, with}; }
inline OptimizerSpec adadelta(Adadelta with = {}) { return {Op::adadelta, with}; }

struct Named {
  std::string_view name;
  OptimizerSpec spec;
};

/// Every optimizer under its operation's name; the first is the usual choice.
inline const auto& all() {
  static const auto list = std::to_array<Named>({{"adam", adam()},
                                                 {"sgd", sgd()},
                                                 {"momentum", momentum()},
                                                 {"adamw", adamw()},
                                                 {"adagrad", adagrad()},
                                                 {"rmsprop", rmsprop()},
                                                 {"adadelta", adadelta()}});
  static_assert(std::tuple_size_v<decltype(list)> ==
                    static_cast<std::size_t>(std::ranges::count(all_ops(), Role::update, &OpSpec::role)),
                "one for each update of the op table");
  return list;
}

}  // namespace tenon::optim
