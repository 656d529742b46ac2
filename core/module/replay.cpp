#include <algorithm>

#include "program_listing.h"
#include "symbolic_recorder.h"
#include "tenon/attributes_text.h"
#include "tenon/extents.h"
#include "tenon/operation_text.h"

namespace tenon {
namespace {

/// One recording of one section.
class Replay {
 public:
  Replay(const ProgramListing& listing, const ProgramSection& section, const ProgramArguments& arguments)
      : listing_(listing), section_(section), arguments_(arguments), recorder_(arguments.recorder) {
    // Shapes are checked when a graph is recorded, which precedes every run: an eager recorder would check them anew
    // at each step.
    checks_ = dynamic_cast<const Graph*>(&recorder_) != nullptr;
    values_.reserve(section.types.size());
  }

  Value run() {
    auto done = take_leaves();
    for (std::size_t i = 0; done && !recorder_.failed() && i < section_.operations.size(); ++i)
      done = record(section_.operations[i]);
    for (std::size_t i = 0; done && !recorder_.failed() && i < section_.updates.size(); ++i)
      done = update(section_.updates[i]);
    if (!done) recorder_.fail_with(std::move(done).error());
    return recorder_.failed() ? Value{&recorder_, 0} : values_[*section_.result];
  }

 private:
  tl::unexpected<Error> at(const NumberedLine& line, Error error) const {
    return fail(at_line(std::move(error), listing_.place, line));
  }

  std::span<const Value> given(ListedLeaf::Kind kind) const {
    switch (kind) {
      case ListedLeaf::Kind::parameter:
        return arguments_.parameters;
      case ListedLeaf::Kind::state:
        return arguments_.states;
      case ListedLeaf::Kind::real:
        return arguments_.reals;
      case ListedLeaf::Kind::natural:
        return arguments_.naturals;
    }
    return {};
  }

  const Shape* declared(const ListedLeaf& leaf) const {
    if (leaf.kind == ListedLeaf::Kind::real) return &listing_.reals[leaf.index].shape;
    if (leaf.kind == ListedLeaf::Kind::natural) return &listing_.naturals[leaf.index].shape;
    return nullptr;
  }

  result<void> take_leaves() {
    for (std::size_t id = 0; id < listing_.leaves.size(); ++id) {
      const ListedLeaf& leaf = listing_.leaves[id];
      const std::span<const Value> values = given(leaf.kind);
      const bool is_given = leaf.index < values.size();
      if (!is_given && section_.uses[id])
        return at(leaf.line, {Reason::INVALID_ARGUMENT, "no value was given for it, expected one", {}});
      values_.push_back(is_given ? values[leaf.index] : Value{});
      if (const Shape* shape = declared(leaf); is_given && shape != nullptr)
        TENON_CHECK(bind(*shape, recorder_.shape(values_.back()), leaf.line));
    }
    return {};
  }

  result<void> bind(const Shape& declared, const Shape& found, const NumberedLine& line) {
    if (match_extents(declared, found, bound_)) return {};
    return at(line, {Reason::SHAPE_MISMATCH,
                     "extents: found " + to_string(found) + ", expected " + to_string(bind_extents(declared, bound_)),
                     {}});
  }

  result<void> record(const ListedOperation& operation) {
    std::array<Value, max_operands> operands{};
    std::ranges::transform(operation.operands, operands.begin(), [&](std::uint32_t id) { return values_[id]; });
    const std::span<const Value> used = std::span(operands).first(operation.operands.size());
    const Op op = operation.row->op;
    const Attributes attributes =
        operation.names_extents ? bind_extents(operation.attributes, bound_) : operation.attributes;
    if (checks_) TENON_CHECK(check(operation, used, attributes));
    const Value first = recorder_.record(op, used, attributes);
    for (std::uint32_t i = 0; i < operation.row->output_count(); ++i) values_.push_back(Recorder::output(first, i));
    return {};
  }

  result<void> check(const ListedOperation& operation, std::span<const Value> operands, const Attributes& attributes) {
    std::vector<OperandType> types;
    for (const Value operand : operands) types.push_back(recorder_.type(operand));
    Message why;
    const Shape shape = infer_symbolic(operation.row->op, types, attributes, why);
    if (!why.empty()) return at(operation.line, {Reason::SHAPE_MISMATCH, std::string(why.view()), {}});
    for (const auto& [label, stated] : operation.stated)
      if (auto agreed = agreed_type(*operation.row, label, {Kind::real, bind_extents(stated, bound_)}, shape); !agreed)
        return at(operation.line, std::move(agreed).error());
    return {};
  }

  result<void> update(const ListedUpdate& update) {
    const Value state = values_[update.state], value = values_[update.value];
    if (checks_ && recorder_.type(state) != recorder_.type(value))
      return at(update.line, {Reason::SHAPE_MISMATCH,
                              "new value of a state: found " + type_text(recorder_.type(value)) + ", expected " +
                                  type_text(recorder_.type(state)),
                              {}});
    recorder_.update_state(state, value);
    return {};
  }

  const ProgramListing& listing_;
  const ProgramSection& section_;
  const ProgramArguments& arguments_;
  Recorder& recorder_;
  bool checks_;
  std::vector<Value> values_;
  std::vector<BoundExtent> bound_;
};

}  // namespace

Value replay(const ProgramListing& listing, const ProgramSection& section, const ProgramArguments& arguments) {
  return Replay(listing, section, arguments).run();
}

}  // namespace tenon
