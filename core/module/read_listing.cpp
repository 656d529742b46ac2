#include <algorithm>
#include <unordered_set>

#include "program_listing.h"
#include "symbolic_recorder.h"
#include "tenon/attributes_text.h"
#include "tenon/operation_text.h"
#include "tenon/text.h"

namespace tenon {
namespace {

using LeafKind = ListedLeaf::Kind;

tl::unexpected<Error> malformed(std::string text, std::string hint = {}) {
  return fail(Reason::FILE_MALFORMED, std::move(text), std::move(hint));
}

bool is_input(LeafKind kind) { return kind == LeafKind::real || kind == LeafKind::natural; }

/// How many inputs of each kind forward takes.
struct TakenInputs {
  std::size_t reals = 0, naturals = 0;
  std::size_t& of(LeafKind kind) { return kind == LeafKind::real ? reals : naturals; }
};

/// Takes a program's lines one after the other.
class ListingReader {
 public:
  explicit ListingReader(ProgramListing& listing) : listing_(listing) {}

  result<void> take(const NumberedLine& line) {
    line_ = line;
    LineScanner scanner(line.text);
    if (!std::exchange(started_, true)) return take_format(scanner);
    if (scanner.accept_word("name")) return take_name(scanner);
    if (scanner.accept_word("forward")) return begin_forward(scanner);
    if (scanner.accept_word("loss"))
      return scanner.accept_word("training") ? begin(scanner, listing_.training_loss, "loss training")
                                             : begin(scanner, listing_.loss, "loss");
    if (scanner.accept_word("return")) return take_return(scanner);
    if (scanner.accept_word(update_word)) return take_update(scanner);
    TENON_TRY(const auto results, parse_results(scanner));
    return take_value(scanner, results);
  }

  /// What can be said only at the end.
  result<void> finish(const NumberedLine& last) {
    line_ = last;
    TENON_CHECK(end_section());
    if (!started_) return malformed("empty program: found no line, expected \"tenon program 1\"");
    if (!listing_.forward) return malformed("missing section: found no \"forward\", expected one");
    if (listing_.training_loss && !listing_.loss)
      return malformed("missing section: found \"loss training\" alone, expected \"loss\" too");
    TENON_TRY(const TakenInputs taken, taken_by_forward());
    listing_.forward_reals = taken.reals;
    listing_.forward_naturals = taken.naturals;
    TENON_CHECK(check_names(*listing_.forward, true));
    if (listing_.loss) TENON_CHECK(check_names(*listing_.loss, false));
    if (listing_.training_loss) TENON_CHECK(check_names(*listing_.training_loss, false));
    return {};
  }

  const NumberedLine& line() const { return line_; }

 private:
  result<void> take_format(LineScanner& line) {
    LineScanner before = line;
    const bool is_program = line.accept_word("tenon") && line.accept_word("program");
    if (!is_program) return before.refuse("first line", "\"tenon program 1\"");
    if (!line.accept_word("1")) return line.refuse("version of the text form", "1", "use a Tenon of that version");
    return line.expect_end();
  }

  result<void> take_name(LineScanner& line) {
    if (section_ != nullptr || named_) return malformed("name: found it again or in a section, expected it once above");
    named_ = true;
    TENON_TRY(listing_.name, line.name("name"));
    return line.expect_end();
  }

  result<void> begin_forward(LineScanner& line) {
    if (line.accept_word("takes")) {
      TENON_TRY(const auto labels, parse_operands(line));
      TENON_TRY(forward_takes_, count_taken(labels));
    }
    return begin(line, listing_.forward, "forward");
  }

  /// Forward takes the first inputs of each kind, which the line names in that order.
  result<TakenInputs> count_taken(std::span<const std::string_view> labels) const {
    TakenInputs taken;
    for (const std::string_view label : labels) {
      TENON_TRY(const std::uint32_t id, leaf_labels_.find(label));
      const ListedLeaf& leaf = listing_.leaves[id];
      if (!is_input(leaf.kind)) return malformed("forward takes: found %" + excerpt(label, 60) + ", expected an input");
      if (leaf.index != taken.of(leaf.kind)++)
        return malformed("forward takes: found %" + excerpt(label, 60) +
                         " out of its place, expected the first inputs of each kind, in order");
    }
    return taken;
  }

  result<void> begin(LineScanner& line, std::optional<ProgramSection>& section, const std::string& name) {
    TENON_CHECK(line.expect_end());
    TENON_CHECK(end_section());
    if (section) return malformed("repeated section: found \"" + name + "\" again, expected it once");
    section_ = &section.emplace();
    section_->types = leaf_types_;
    section_->uses.assign(leaf_types_.size(), false);
    labels_ = leaf_labels_;
    return {};
  }

  result<void> end_section() {
    if (section_ == nullptr || section_->result) return {};
    return malformed("end of a section: found no \"return\" before it, expected one");
  }

  result<void> require_open(std::string_view what) {
    if (section_ == nullptr)
      return malformed(std::string(what) + ": found it above the sections, expected it below \"forward\" or \"loss\"");
    if (section_->result)
      return malformed(std::string(what) + ": found it after \"return\", expected another section or nothing");
    return {};
  }

  result<void> take_value(LineScanner& line, std::span<const std::string_view> results) {
    if (line.accept_word("frozen")) {
      if (!line.accept_word("parameter")) return line.refuse("after \"frozen\"", "\"parameter\"");
      return take_leaf(line, results, LeafKind::parameter, false);
    }
    if (line.accept_word("parameter")) return take_leaf(line, results, LeafKind::parameter, true);
    if (line.accept_word("state")) return take_leaf(line, results, LeafKind::state, false);
    if (line.accept_word("input")) return take_leaf(line, results, LeafKind::real, false);
    if (line.accept_word("natural")) return take_leaf(line, results, LeafKind::natural, false);
    TENON_TRY(const OperationText operation, parse_operation(line));
    TENON_CHECK(require_open("operation"));
    return take_operation(operation, results);
  }

  result<void> take_leaf(LineScanner& line, std::span<const std::string_view> results, LeafKind kind, bool trains) {
    if (section_ != nullptr) return malformed("declaration: found it in a section, expected it above \"forward\"");
    if (results.size() != 1) return malformed("declaration: found several results, expected one");
    TENON_TRY(std::string name, line.name("name"));
    TENON_CHECK(line.expect(':', "after the name"));
    TENON_TRY(const Shape shape, line.shape("extents"));
    double initial = 0;
    if (kind == LeafKind::state) {
      TENON_TRY(initial, take_initial(line));
    }
    TENON_CHECK(line.expect_end());
    TENON_CHECK(check_leaf(name, shape, kind));
    TENON_CHECK(leaf_labels_.define(results.front(), static_cast<std::uint32_t>(leaf_types_.size())));
    leaf_types_.push_back({kind == LeafKind::natural ? Kind::natural : Kind::real, shape});
    add_leaf(std::move(name), shape, kind, trains, initial);
    return {};
  }

  static result<double> take_initial(LineScanner& line) {
    TENON_CHECK(line.expect('=', "initial value of a state"));
    LineScanner before = line;
    const std::optional<double> initial = parse_double(line.word());
    if (!initial) return before.refuse("initial value of a state", "a number");
    return *initial;
  }

  result<void> check_leaf(const std::string& name, const Shape& shape, LeafKind kind) {
    const bool input = is_input(kind);
    if (!(input ? input_names_ : tensor_names_).insert(name).second)
      return malformed("repeated name: found " + name_text(excerpt(name, 60)) + " again, expected another");
    const bool fits = is_static(shape) ? checked_elements(shape).has_value() : input;
    if (fits) return {};
    return malformed("extents: found " + to_string(shape) + ", expected " +
                     (is_static(shape) ? "a size that fits memory" : "whole numbers: only inputs have others"));
  }

  void add_leaf(std::string name, const Shape& shape, LeafKind kind, bool trains, double initial) {
    const auto add = [&](auto& list, auto spec) {
      listing_.leaves.push_back({kind, list.size(), line_});
      list.push_back(std::move(spec));
    };
    if (kind == LeafKind::parameter) add(listing_.parameters, ParameterSpec{std::move(name), shape, trains});
    if (kind == LeafKind::state) add(listing_.states, StateSpec{std::move(name), shape, initial});
    if (kind == LeafKind::real) add(listing_.reals, InputSpec{std::move(name), Kind::real, shape});
    if (kind == LeafKind::natural) add(listing_.naturals, InputSpec{std::move(name), Kind::natural, shape});
  }

  result<std::uint32_t> use(std::string_view label) {
    TENON_TRY(const std::uint32_t id, labels_.find(label));
    if (id >= section_->uses.size()) return id;
    section_->uses[id] = true;
    TENON_CHECK(check_taken(label, listing_.leaves[id]));
    return id;
  }

  result<void> check_taken(std::string_view label, const ListedLeaf& leaf) {
    const bool in_forward = listing_.forward && section_ == &*listing_.forward;
    if (!in_forward || !forward_takes_ || !is_input(leaf.kind)) return {};
    if (leaf.index < forward_takes_->of(leaf.kind)) return {};
    return malformed("input: found %" + excerpt(label, 60) + ", expected one that forward takes",
                     "name it behind \"forward takes\"");
  }

  result<void> take_operation(const OperationText& text, std::span<const std::string_view> results) {
    if (text.row->role == Role::vjp)
      return fail(Reason::FILE_MALFORMED, "operation: found " + std::string(text.row->name) +
                                              ", which is part of a gradient, expected one of a program");
    TENON_CHECK(check_counts(text, results.size()));
    ListedOperation operation{.row = text.row,
                              .operands = {},
                              .attributes = text.attributes,
                              .names_extents = !names_in(text.attributes).empty(),
                              .stated = {},
                              .first_result = static_cast<std::uint32_t>(section_->types.size()),
                              .line = line_};
    std::vector<OperandType> types;
    for (const std::string_view label : text.operands) {
      TENON_TRY(const std::uint32_t id, use(label));
      operation.operands.push_back(id);
      types.push_back(section_->types[id]);
    }
    Message why;
    const Shape shape = infer_symbolic(text.row->op, types, text.attributes, why);
    if (!why.empty()) return fail(Reason::SHAPE_MISMATCH, std::string(why.view()));
    return add_results(std::move(operation), text, results, shape);
  }

  result<void> add_results(ListedOperation operation, const OperationText& text,
                           std::span<const std::string_view> results, const Shape& shape) {
    for (std::uint32_t i = 0; i < results.size(); ++i) {
      Shape agreed = shape;
      if (!text.types.empty()) {
        TENON_TRY(agreed, agreed_type(*text.row, results[i], text.types[i], shape));
        operation.stated.push_back({results[i], text.types[i].shape});
      }
      TENON_CHECK(labels_.define(results[i], static_cast<std::uint32_t>(section_->types.size())));
      section_->types.push_back({Kind::real, agreed});
    }
    section_->operations.push_back(std::move(operation));
    return {};
  }

  result<void> take_update(LineScanner& line) {
    TENON_CHECK(require_open(update_word));
    TENON_TRY(const UpdateText operands, parse_update(line));
    TENON_TRY(const std::uint32_t state, use(operands.state));
    TENON_TRY(const std::uint32_t value, use(operands.value));
    if (state >= listing_.leaves.size() || listing_.leaves[state].kind != LeafKind::state)
      return malformed("update_state: found %" + excerpt(operands.state, 60) + " before the comma, expected a state");
    const OperandType &old = section_->types[state], &next = section_->types[value];
    if (next.kind != Kind::real || next.shape.rank != old.shape.rank || !agree(old.shape, next.shape))
      return fail(Reason::SHAPE_MISMATCH,
                  "new value of a state: found " + type_text(next) + ", expected " + type_text(old));
    section_->updates.push_back({state, value, line_});
    return {};
  }

  result<void> take_return(LineScanner& line) {
    TENON_CHECK(require_open("return"));
    TENON_TRY(const std::string_view label, parse_label(line, "return"));
    TENON_CHECK(line.expect_end());
    TENON_TRY(const std::uint32_t id, use(label));
    const OperandType& type = section_->types[id];
    if (type.kind != Kind::real) return malformed("return: found natural numbers, expected real ones");
    const bool is_loss = !listing_.forward || section_ != &*listing_.forward;
    if (is_loss && (count_named(type.shape) > 0 || known_elements(type.shape) != 1))
      return fail(Reason::SHAPE_MISMATCH, "loss: found " + to_string(type.shape) + ", expected one element");
    section_->result = id;
    section_->result_line = line_;
    return {};
  }

  bool loss_uses(std::size_t leaf) const {
    const auto uses = [&](const std::optional<ProgramSection>& section) { return section && section->uses[leaf]; };
    return uses(listing_.loss) || uses(listing_.training_loss);
  }

  result<TakenInputs> taken_by_forward() {
    if (forward_takes_) return *forward_takes_;
    TakenInputs taken;
    TENON_TRY(taken.reals, used_by_forward(LeafKind::real));
    TENON_TRY(taken.naturals, used_by_forward(LeafKind::natural));
    return taken;
  }

  /// The inputs up to the last that forward uses; what only the loss uses must come after them.
  result<std::size_t> used_by_forward(LeafKind kind) {
    std::size_t count = 0;
    for (std::size_t id = listing_.leaves.size(); id-- > 0;) {
      const ListedLeaf& leaf = listing_.leaves[id];
      if (leaf.kind != kind) continue;
      const bool used = listing_.forward->uses[id];
      if (used && count == 0) count = leaf.index + 1;
      if (count == 0 || used || !loss_uses(id)) continue;
      line_ = leaf.line;
      return malformed(
          "order of inputs: found an input that only the loss uses before one that forward uses, "
          "expected it after them",
          "move the line down");
    }
    return count;
  }

  std::unordered_set<Extent> bound_names(bool in_forward) const {
    std::unordered_set<Extent> names;
    const auto add = [&](const std::vector<InputSpec>& inputs, std::size_t forward_count) {
      for (const InputSpec& input : std::span(inputs).first(in_forward ? forward_count : inputs.size()))
        names.insert(input.shape.extents().begin(), input.shape.extents().end());
    };
    add(listing_.reals, listing_.forward_reals);
    add(listing_.naturals, listing_.forward_naturals);
    return names;
  }

  /// A name is worth nothing where no input says its number.
  result<void> check_names(const ProgramSection& section, bool in_forward) {
    const std::unordered_set<Extent> bound = bound_names(in_forward);
    for (const ListedOperation& operation : section.operations) {
      std::vector<Extent> names = names_in(operation.attributes);
      for (const StatedType& stated : operation.stated)
        std::ranges::copy_if(stated.shape.extents(), std::back_inserter(names), is_named);
      const auto unbound = std::ranges::find_if_not(names, [&](Extent name) { return bound.contains(name); });
      if (unbound == names.end()) continue;
      line_ = operation.line;
      return malformed("unknown extent: found " + extent_text(*unbound) + ", expected the name of an extent of " +
                           (in_forward ? "an input that forward uses" : "an input"),
                       in_forward ? "name the input behind \"forward takes\"" : "");
    }
    return {};
  }

  ProgramListing& listing_;
  NumberedLine line_;
  bool started_ = false, named_ = false;
  std::vector<OperandType> leaf_types_;
  Labels leaf_labels_, labels_;
  std::unordered_set<std::string> tensor_names_, input_names_;
  ProgramSection* section_ = nullptr;
  std::optional<TakenInputs> forward_takes_;  // where the section says it
};

}  // namespace

result<void> read_listing(ProgramListing& listing) {
  ListingReader reader(listing);
  const std::vector<NumberedLine> lines = lines_of(listing.text);
  for (const NumberedLine& line : lines)
    if (auto taken = reader.take(line); !taken)
      return fail(at_line(std::move(taken).error(), listing.place, reader.line()));
  auto finished = reader.finish(lines.empty() ? NumberedLine{1, {}} : lines.back());
  if (!finished) return fail(at_line(std::move(finished).error(), listing.place, reader.line()));
  return {};
}

}  // namespace tenon
