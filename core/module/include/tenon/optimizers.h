// optimizers.h: the optimizers by name, with PyTorch's defaults. The rate is given at each step. Plain values.
#pragma once
#include "tenon/session.h"

namespace tenon::optim {

inline OptimizerSpec sgd() { return {Op::sgd, NoAttributes{}}; }
inline OptimizerSpec momentum(Momentum with = {}) { return {Op::momentum, with}; }
inline OptimizerSpec adagrad(Adagrad with = {}) { return {Op::adagrad, with}; }
inline OptimizerSpec rmsprop(Rmsprop with = {}) { return {Op::rmsprop, with}; }
inline OptimizerSpec adam(Moments with = {}) { return {Op::adam, with}; }
inline OptimizerSpec adamw(Moments with = {.decay = 0.01}) { return {Op::adamw, with}; }
inline OptimizerSpec adadelta(Adadelta with = {}) { return {Op::adadelta, with}; }

}  // namespace tenon::optim
