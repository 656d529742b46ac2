#include "tenon/attributes_text.h"

#include <vector>

#include "tenon/rule.h"
#include "tenon/text.h"

namespace tenon {
namespace {

std::string value_text(std::string_view, double value) { return shortest(value); }
std::string value_text(std::string_view, Extent value) { return std::to_string(value); }
std::string value_text(std::string_view, bool value) { return value ? "true" : "false"; }

std::string value_text(std::string_view field, const Shape& value) {
  if (field == "shape") return to_string(value);
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

}  // namespace

std::string to_string(const Attributes& attributes) { return join(fields(attributes)); }

std::string differences(const Attributes& attributes, const Attributes& defaults) {
  std::vector<std::string> differing = fields(attributes);
  const std::vector<std::string> usual = fields(defaults);
  std::erase_if(differing, [&](const std::string& field) { return std::ranges::find(usual, field) != usual.end(); });
  return join(differing);
}

}  // namespace tenon
