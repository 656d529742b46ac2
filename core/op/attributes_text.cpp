#include "tenon/attributes_text.h"

#include <algorithm>
#include <cmath>

#include "tenon/op.h"
#include "tenon/rule.h"
#include "tenon/text.h"

namespace tenon {
namespace {

constexpr std::string_view extents_field = "shape";  // the one field that may hold names and dyn

std::string value_text(std::string_view, double value) { return std::isnan(value) ? "nan" : shortest(value); }
std::string value_text(std::string_view, Extent value) { return std::to_string(value); }
std::string value_text(std::string_view, bool value) { return value ? "true" : "false"; }

std::string value_text(std::string_view field, const Shape& value) {
  if (field == extents_field) return to_string(value);
  Message text;  // axes: -1 is the last one
  text << rule::AxisNumbers{value};
  return std::string(text.view());
}

std::vector<std::string> fields(const Attributes& attributes) {
  std::vector<std::string> out;
  const auto print = [&](std::string_view field, const auto& value) {
    out.push_back(std::string(field) + "=" + value_text(field, value));
  };
  std::visit([&](const auto& a) { each_field(a, print); }, attributes.base());
  return out;
}

std::vector<std::string> field_names(const Attributes& attributes) {
  std::vector<std::string> out;
  std::visit([&](const auto& a) { each_field(a, [&](std::string_view name, const auto&) { out.emplace_back(name); }); },
             attributes.base());
  return out;
}

/// Calls visit(name, field&).
template <class Visit>
void each_field_of(Attributes& attributes, Visit visit) {
  std::visit([&](auto& a) { each_field(a, visit); }, static_cast<Attributes::variant&>(attributes));
}

template <class T>
result<void> take(LineScanner& line, std::string_view name, std::string_view expected,
                  std::optional<T> (*parse)(std::string_view), T& field) {
  LineScanner before = line;
  const std::optional<T> value = parse(line.word());
  if (!value) return before.refuse("attribute " + std::string(name), expected);
  field = *value;
  return {};
}

std::optional<bool> parse_bool(std::string_view word) {
  if (word != "true" && word != "false") return std::nullopt;
  return word == "true";
}

result<void> take_value(LineScanner& line, std::string_view name, double& field) {
  return take<double>(line, name, "a number", parse_double, field);
}
result<void> take_value(LineScanner& line, std::string_view name, Extent& field) {
  return take<Extent>(line, name, "a whole number", parse_signed, field);
}
result<void> take_value(LineScanner& line, std::string_view name, bool& field) {
  return take<bool>(line, name, "true or false", parse_bool, field);
}
result<void> take_value(LineScanner& line, std::string_view name, Shape& field) {
  const std::string what = "attribute " + std::string(name);
  TENON_TRY(field, name == extents_field ? line.shape(what) : line.numbers(what));
  return {};
}

tl::unexpected<Error> unknown_field(const OpSpec& row, LineScanner at, std::string_view name) {
  const std::vector<std::string> names = field_names(row.defaults);
  return at.refuse("unknown attribute", names.empty() ? "none" : join(names), did_you_mean(name, names));
}

/// `name=value`, where the name has not been given before.
result<void> take_field(const OpSpec& row, LineScanner& line, Attributes& attributes,
                        std::vector<std::string_view>& given) {
  LineScanner before = line;
  const std::string_view wanted = line.word();
  if (std::ranges::find(given, wanted) != given.end()) return before.refuse("repeated attribute", "each one once");
  result<void> taken;
  bool is_known = false;
  each_field_of(attributes, [&](std::string_view name, auto& field) {
    if (name != wanted) return;
    is_known = true;
    given.push_back(name);
    taken = line.expect('=', "attribute " + std::string(name));
    if (taken) taken = take_value(line, name, field);
  });
  if (!is_known) return unknown_field(row, before, wanted);
  return taken;
}

Error of_operation(const OpSpec& row, Error error) {
  error.text = "[" + std::string(row.name) + "] " + error.text;
  return error;
}

template <class Ended>
result<Attributes> parse_list(const OpSpec& row, LineScanner& line, Ended ended) {
  Attributes out = row.defaults;
  std::vector<std::string_view> given;
  while (!ended()) {
    if (!given.empty())
      if (auto comma = line.expect(',', "after an attribute"); !comma) return fail(of_operation(row, comma.error()));
    if (auto taken = take_field(row, line, out, given); !taken) return fail(of_operation(row, taken.error()));
  }
  return out;
}

}  // namespace

result<Attributes> parse_attributes(const OpSpec& row, std::string_view text) {
  LineScanner line(text);
  return parse_list(row, line, [&] { return line.at_end(); });
}

result<Attributes> parse_attributes(const OpSpec& row, LineScanner& line) {
  if (!line.accept('{')) return row.defaults;
  return parse_list(row, line, [&] { return line.accept('}'); });
}

Attributes bind_extents(Attributes attributes, std::span<const BoundExtent> bound) {
  each_field_of(attributes, [&](std::string_view name, auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Shape>)
      if (name == extents_field) field = bind_extents(field, bound);
  });
  return attributes;
}

Shape shape_in(const Attributes& attributes) {
  Shape out;
  const auto take = [&](std::string_view name, const auto& field) {
    if constexpr (std::is_same_v<std::remove_cvref_t<decltype(field)>, Shape>)
      if (name == extents_field) out = field;
  };
  std::visit([&](const auto& a) { each_field(a, take); }, attributes.base());
  return out;
}

std::vector<Extent> names_in(const Attributes& attributes) {
  std::vector<Extent> out;
  std::ranges::copy_if(shape_in(attributes).extents(), std::back_inserter(out), is_named);
  return out;
}

std::string to_string(const Attributes& attributes) { return join(fields(attributes)); }

std::string differences(const Attributes& attributes, const Attributes& defaults) {
  std::vector<std::string> differing = fields(attributes);
  const std::vector<std::string> usual = fields(defaults);
  std::erase_if(differing, [&](const std::string& field) { return std::ranges::find(usual, field) != usual.end(); });
  return join(differing);
}

}  // namespace tenon
