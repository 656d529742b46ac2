#include "tenon/module_core.h"

#include <algorithm>

#include "tenon/contain.h"
#include "tenon/log.h"
#include "tenon/shuffle.h"

namespace tenon {
namespace {

std::string place(std::size_t index, const ParameterSpec& parameter) {
  return "[plan] parameter " + std::to_string(index) + " " + parameter.name + " " + to_string(parameter.shape) + ": ";
}

result<InitialValue> initial_value(const FloatInit& scheme, const Shape& shape) {
  if (const auto* flat = std::get_if<init::Flat>(&scheme)) return RealSpan(flat->values);
  TENON_TRY(SourceInit source, as_source(scheme, shape));
  return source;
}

result<std::vector<InitialValue>> initial_values(std::span<const FloatInit> plan, const Program& program) {
  if (plan.size() != program.parameters.size())
    return fail(Reason::INVALID_ARGUMENT, "[plan] found " + std::to_string(plan.size()) + " initializers, expected " +
                                              std::to_string(program.parameters.size()));
  for (std::size_t i = 0; i < plan.size(); ++i) {
    auto valid = validate(plan[i], known_elements(program.parameters[i].shape));
    if (!valid) return fail(valid.error().reason, place(i, program.parameters[i]) + valid.error().text);
  }
  std::vector<InitialValue> values;
  for (std::size_t i = 0; i < plan.size(); ++i) {
    TENON_TRY(InitialValue value, initial_value(plan[i], program.parameters[i].shape));
    values.push_back(value);
  }
  return values;
}

/// Elements of one row of an input whose first axis is the batch.
std::size_t row_elements(const Shape& shape) { return static_cast<std::size_t>(known_elements(shape.from(1))); }

/// A data set cut into batches, in the order of its rows or in another.
class Rows {
 public:
  explicit Rows(const DataSet& data)
      : data_(data), reals_(data.all.reals.size()), naturals_(data.all.naturals.size()) {}

  /// How many rows there are: refuses a data set without any, and inputs that disagree.
  result<std::uint64_t> count() const {
    TENON_CHECK(check_sizes());
    std::optional<Extent> rows;
    for (std::size_t i = 0; i < data_.has_rows.size(); ++i) {
      if (!data_.has_rows[i]) continue;
      const Extent found = data_.all.shapes[i][0];
      if (rows && *rows != found)
        return fail(Reason::DATA_MISMATCH, "[data set] input " + std::to_string(i) + ": found " +
                                               std::to_string(found) + " rows, expected " + std::to_string(*rows) +
                                               " as in the inputs before");
      rows = found;
    }
    if (!rows) return fail(Reason::DATA_MISMATCH, "[data set] found no input whose first axis is batch, expected one");
    if (*rows == 0) return fail(Reason::DATA_MISMATCH, "[data set] found no rows, expected at least one");
    return static_cast<std::uint64_t>(*rows);
  }

  /// Spans, shapes and flags must belong together before a row is looked at.
  result<void> check_sizes() const {
    const std::size_t inputs = reals_.size() + naturals_.size();
    if (data_.all.shapes.size() != inputs || data_.has_rows.size() != inputs)
      return fail(Reason::INVALID_ARGUMENT, "[data set] found " + std::to_string(data_.all.shapes.size()) +
                                                " shapes and " + std::to_string(data_.has_rows.size()) +
                                                " flags, expected " + std::to_string(inputs) + ", one for each input");
    for (std::size_t i = 0; i < inputs; ++i) {
      const Shape& shape = data_.all.shapes[i];
      const std::size_t found =
          i < reals_.size() ? data_.all.reals[i].size() : data_.all.naturals[i - reals_.size()].size();
      const std::optional<Extent> expected = checked_elements(shape);
      if (!expected || static_cast<std::size_t>(*expected) != found || (data_.has_rows[i] && shape.rank == 0))
        return fail(Reason::DATA_MISMATCH, "[data set] input " + std::to_string(i) + " " + to_string(shape) +
                                               ": found " + std::to_string(found) + " values, which do not fill it");
    }
    return {};
  }

  /// Rows `first` to `first + count` - 1, of `order` unless that is empty. Valid until the next call.
  const Batch& take(std::uint64_t first, std::uint64_t count, std::span<const std::uint64_t> order) {
    batch_.rows = count;
    batch_.reals.clear(), batch_.naturals.clear();
    batch_.shapes = data_.all.shapes;
    for (std::size_t i = 0; i < reals_.size(); ++i) batch_.reals.push_back(take_real(i, first, count, order));
    for (std::size_t i = 0; i < naturals_.size(); ++i) batch_.naturals.push_back(take_natural(i, first, count, order));
    return batch_;
  }

 private:
  RealSpan take_real(std::size_t i, std::uint64_t first, std::uint64_t count, std::span<const std::uint64_t> order) {
    const RealSpan all = data_.all.reals[i];
    if (!data_.has_rows[i]) return all;
    Shape& shape = batch_.shapes[i];
    const std::size_t width = row_elements(shape);
    shape[0] = static_cast<Extent>(count);
    if (order.empty()) return all.subspan(first * width, count * width);
    std::vector<std::byte>& taken = reals_[i];
    taken.clear();
    for (const std::uint64_t row : order.subspan(first, count)) {
      const auto bytes = all.subspan(row * width, width).bytes();
      taken.insert(taken.end(), bytes.begin(), bytes.end());
    }
    return all.dtype() == DType::f64 ? RealSpan(std::span(reinterpret_cast<const double*>(taken.data()), count * width))
                                     : RealSpan(std::span(reinterpret_cast<const float*>(taken.data()), count * width));
  }

  std::span<const std::uint32_t> take_natural(std::size_t i, std::uint64_t first, std::uint64_t count,
                                              std::span<const std::uint64_t> order) {
    const std::span<const std::uint32_t> all = data_.all.naturals[i];
    if (!data_.has_rows[reals_.size() + i]) return all;
    Shape& shape = batch_.shapes[reals_.size() + i];
    const std::size_t width = row_elements(shape);
    shape[0] = static_cast<Extent>(count);
    if (order.empty()) return all.subspan(first * width, count * width);
    std::vector<std::uint32_t>& taken = naturals_[i];
    taken.clear();
    for (const std::uint64_t row : order.subspan(first, count)) {
      const auto values = all.subspan(row * width, width);
      taken.insert(taken.end(), values.begin(), values.end());
    }
    return taken;
  }

  const DataSet& data_;
  std::vector<std::vector<std::byte>> reals_;
  std::vector<std::vector<std::uint32_t>> naturals_;
  Batch batch_;
};

result<void> check_batch(std::uint64_t rows) {
  if (rows > 0) return {};
  return fail(Reason::INVALID_ARGUMENT, "[data set] batch: found 0 rows a step, expected at least one");
}

/// Calls use(batch) for the full batch and for the last, smaller one.
template <class Use>
result<void> for_each_size(Rows& data, std::uint64_t rows, std::uint64_t size, Use use) {
  if (rows >= size) TENON_CHECK(use(data.take(0, size, {})));
  if (rows % size != 0) TENON_CHECK(use(data.take(0, rows % size, {})));
  return {};
}

/// Calls use(batch) for each batch of the data set, the last, smaller one included; answers the mean over all rows.
template <class Use>
result<double> mean_over(Rows& data, std::uint64_t rows, std::uint64_t size, std::span<const std::uint64_t> order,
                         Use use) {
  double sum = 0;
  for (std::uint64_t first = 0; first < rows; first += size) {
    const std::uint64_t count = std::min(size, rows - first);
    TENON_TRY(const double loss, use(data.take(first, count, order)));
    sum += loss * static_cast<double>(count);
  }
  return sum / static_cast<double>(rows);
}

}  // namespace

result<SharedRuntime> SharedRuntime::open(const Options& options, CompiledWith caller) {
  TENON_CHECK(check_headers(caller));
  TENON_TRY(DeviceRuntime runtime, open_runtime(options));
  return contained("runtime", [&]() -> result<SharedRuntime> {
    SharedRuntime shared;
    shared.runtime_ = std::shared_ptr<DeviceRuntime>(new DeviceRuntime(std::move(runtime)), [](DeviceRuntime* last) {
      if (const auto finished = last->finish(); !finished)
        logging::write(logging::Level::error, "trace", finished.error().text);
      delete last;
    });
    return shared;
  });
}

result<ModuleCore> ModuleCore::create(SharedRuntime runtime, Program program) {
  return contained("module", [&]() -> result<ModuleCore> {
    SessionOptions options = runtime.get().session_options(GradientMode::training);
    options.training_batches = options.evaluation_batches = {static_cast<std::uint64_t>(nominal_extent)};
    TENON_TRY(Session session, Session::create(runtime.get().registry, std::move(program), options));
    return ModuleCore(std::move(runtime), std::move(session));
  });
}

result<void> ModuleCore::apply_plan(std::span<const FloatInit> plan) {
  return contained("plan", [&]() -> result<void> {
    TENON_TRY(const auto values, initial_values(plan, program()));
    TENON_CHECK(session_.initialise(values));
    host_is_stale_ = true;
    return {};
  });
}

result<std::span<const std::vector<std::byte>>> ModuleCore::parameters() {
  if (host_is_stale_) {
    TENON_TRY(host_parameters_, session_.read_parameters());
    host_is_stale_ = false;
  }
  return std::span<const std::vector<std::byte>>(host_parameters_);
}

result<void> ModuleCore::set_parameters(std::span<const std::vector<std::byte>> values) {
  TENON_CHECK(session_.set_parameters(values));
  host_is_stale_ = true;
  return {};
}

result<void> ModuleCore::restore(const SessionSnapshot& snapshot, Optimizer* optimizer) {
  TENON_CHECK(session_.restore(snapshot, optimizer));
  host_is_stale_ = true;
  return {};
}

result<Optimizer*> ModuleCore::descent() {
  if (!descent_) {
    TENON_TRY(Optimizer made, session_.init_optim({Op::sgd, NoAttributes{}}));
    descent_.emplace(std::move(made));
  }
  return &*descent_;
}

result<double> ModuleCore::step(const Batch& given, double rate) {
  TENON_TRY(Optimizer* const plain, descent());
  return step_with(*plain, given, rate);
}

result<double> ModuleCore::step_with(Optimizer& optimizer, const Batch& given, double rate) {
  host_is_stale_ = true;
  return session_.train_step(given, optimizer, rate);
}

result<TrainingReport> ModuleCore::train(Optimizer* optimizer, const Training& how, const DataSet& data) {
  return contained("train", [&]() -> result<TrainingReport> {
    TENON_CHECK(check_batch(how.batch));
    Rows rows(data);
    TENON_TRY(const std::uint64_t count, rows.count());
    if (optimizer == nullptr) {
      TENON_TRY(optimizer, descent());
    }
    TENON_CHECK(for_each_size(rows, count, how.batch,
                              [&](const Batch& given) { return session_.prepare_step(given, *optimizer); }));
    TrainingReport report;
    const auto step_once = [&](const Batch& given) {
      ++report.steps;
      return step_with(*optimizer, given, how.rate);
    };
    for (std::uint64_t epoch = 1; epoch <= how.epochs; ++epoch) {
      std::vector<std::uint64_t> order;
      if (how.shuffle) order = permutation(count, *how.shuffle, epoch);
      TENON_TRY(const double loss, mean_over(rows, count, how.batch, order, step_once));
      report.epoch_losses.push_back(loss);
    }
    return report;
  });
}

result<double> ModuleCore::mean_loss(const DataSet& data, std::uint64_t size) {
  return contained("mean_loss", [&]() -> result<double> {
    TENON_CHECK(check_batch(size));
    Rows rows(data);
    TENON_TRY(const std::uint64_t count, rows.count());
    TENON_CHECK(for_each_size(rows, count, size, [&](const Batch& given) { return session_.prepare_loss(given); }));
    return mean_over(rows, count, size, {}, [&](const Batch& given) { return session_.loss(given); });
  });
}

Batch& ModuleCore::scratch() {
  scratch_.rows = 0;
  scratch_.reals.clear(), scratch_.naturals.clear(), scratch_.shapes.clear();
  return scratch_;
}

}  // namespace tenon
