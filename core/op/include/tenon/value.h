// value.h: a tensor of a program that is being recorded, and the Recorder it belongs to.
//
// A Value is two words and owns nothing: it is valid as long as its recorder keeps the record. A Recorder is used by
// one thread at a time. The first error sticks in the recorder and later operations are inert, so that programs are
// plain expressions; who runs a program asks status() once.
#pragma once
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <vector>

#include "tenon/op.h"
#include "tenon/result.h"

namespace tenon {

class Recorder;

struct Value {
  Recorder* recorder = nullptr;  // null: no value (an operand without gradient)
  std::uint32_t id = 0;

  explicit operator bool() const { return recorder != nullptr; }
  friend bool operator==(const Value&, const Value&) = default;
};

/// A value that may change at each execution: learning rate, step number, key of a draw.
union Scalar {
  std::int64_t i;
  std::uint64_t u;
  double f;
};

/// One recorded operation. Its outputs are the ids from `output` on.
struct Node {
  Op op;
  std::uint8_t operand_count = 0;
  std::array<std::uint32_t, max_operands> operand{};
  std::uint32_t output = 0;
  Attributes attributes;

  std::span<const std::uint32_t> operands() const { return {operand.data(), operand_count}; }
};

/// A value that no later write to a leaf can change: a leaf, and what may stand in its storage, is copied (`scale` by
/// 1).
TENON_API Value apart_from_leaves(Value value);

class TENON_API Recorder {
 public:
  virtual ~Recorder() = default;

  /// Records one operation. Elementwise operands of different shapes are broadcast first. The result is the first
  /// output; `output(result, i)` gives the others. Inert after an error.
  Value record(Op op, std::span<const Value> operands, const Attributes& attributes,
               std::span<const Scalar> scalars = {});

  static Value output(Value first, std::uint32_t index) { return {first.recorder, first.id + index}; }

  virtual const OperandType& type(Value value) const = 0;
  /// A copy: a reference to a type lasts only until the next operation is recorded.
  Shape shape(Value value) const { return type(value).shape; }

  /// Whether the program is recorded for training: dropout drops, batch_norm takes the batch's own statistics.
  virtual bool training() const { return false; }

  /// `state` is a leaf that stands for a module's state: it becomes `value`, of its shape, when the run has succeeded.
  void update_state(Value state, Value value);

  /// The nodes recorded so far, in order: what a gradient is computed from.
  virtual std::span<const Node> nodes() const = 0;

  result<void> status() const;
  /// Keeps the first error; later ones are consequences.
  void fail_with(Error error);
  bool failed() const { return failed_; }

 protected:
  /// Operand count, kinds and broadcasts are settled; shapes are not yet checked.
  virtual Value on_record(Op op, std::span<const Value> operands, const Attributes& attributes,
                          std::span<const Scalar> scalars) = 0;
  virtual void on_update_state(Value, Value) {}
  void clear_error() { failed_ = false, error_ = {}; }
  /// The result's shape by the operation's rule; nothing, and the recorder fails, where there is none.
  std::optional<Shape> infer_shape(Op op, std::span<const Value> operands, const Attributes& attributes);

 private:
  bool fits(const OpSpec& row, std::span<const Value> operands) const;
  bool have_one_shape(std::span<const Value> operands) const;
  Value record_broadcast(Op op, std::span<const Value> operands, const Attributes& attributes,
                         std::span<const Scalar> scalars);

  Error error_;
  bool failed_ = false;
};

}  // namespace tenon
