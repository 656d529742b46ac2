// ops-json: prints ops.json, the table of operations as programs read it. Part of the SDK.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <nlohmann/json.hpp>

#include "role_name.h"
#include "shape_rule.h"
#include "tenon/op.h"

namespace tenon {
namespace {

using Json = nlohmann::ordered_json;

// -- attributes: types are named as the ABI's TENON_VALUE_ are ----------------------------------------------------

struct TypedValue {
  std::string_view type;
  Json value;
};

/// JSON knows no infinity.
TypedValue typed(double value) {
  if (std::isfinite(value)) return {"float", value};
  return {"float", value < 0 ? "-inf" : "inf"};
}
TypedValue typed(Extent value) { return {"int", value}; }
TypedValue typed(bool value) { return {"bool", value}; }  // crosses the ABI as an int
TypedValue typed(const Shape& value) {
  Json list = Json::array();
  for (const Extent extent : value.extents()) list.push_back(extent);
  return {"ints", std::move(list)};
}

Json attributes(const Attributes& defaults) {
  Json out = Json::array();
  const auto add = [&](std::string_view name, const auto& field) {
    TypedValue value = typed(field);
    out.push_back({{"name", name}, {"type", value.type}, {"default", std::move(value.value)}});
  };
  std::visit([&](const auto& a) { each_field(a, add); }, defaults.base());
  return out;
}

// -- operands, scalars, results -----------------------------------------------------------------------------------

Json operands(const OpSpec& row) {
  Json out = Json::array();
  for (std::size_t i = 0; i < row.operand_count(); ++i)
    out.push_back({{"name", row.operand(i)}, {"kind", name(row.kind(i))}});
  return out;
}

/// The member of tenon_scalar in which a slot's value stands.
struct ScalarSlot {
  std::string_view name, member;
};
constexpr ScalarSlot scalar_slots[] = {{"key", "u"}, {"rate", "f"}, {"step", "i"}};

constexpr const ScalarSlot* scalar_slot(std::string_view name) {
  return std::ranges::find(scalar_slots, name, &ScalarSlot::name);
}
static_assert(std::ranges::all_of(all_ops(),
                                  [](const OpSpec& row) {
                                    return std::ranges::all_of(row.scalars.view(), [](std::string_view slot) {
                                      return scalar_slot(slot) != std::end(scalar_slots);
                                    });
                                  }),
              "put the new slot among scalar_slots");

Json scalars(const OpSpec& row) {
  Json out = Json::array();
  for (const std::string_view slot : row.scalars.view())
    out.push_back({{"name", slot}, {"member", scalar_slot(slot)->member}});
  return out;
}

Json results(const OpSpec& row) {
  Json out = Json::array();
  for (std::size_t i = 0; i < row.output_count(); ++i) {
    const bool updates = row.role == Role::update;
    out.push_back({{"name", updates ? row.operand(row.updated_operand(i)) : "result"}, {"kind", name(Kind::real)}});
  }
  return out;
}

/// What a capsule of the operation's gradient is called, where a device may bring one.
Json own_gradient(const OpSpec& row) {
  return is_differentiable(row.op) ? Json(spec(vjp_of(row.op)).name) : Json(nullptr);
}

Json operation(const OpSpec& row) {
  return {{"name", row.name},
          {"version", row.version},
          {"role", name(row.role)},
          {"operands", operands(row)},
          {"results", results(row)},
          {"attributes", attributes(row.defaults)},
          {"scalars", scalars(row)},
          {"shape", shape_rule(row.op)},
          {"own_gradient", own_gradient(row)},
          {"meaning", row.documentation}};
}

void print() {
  Json list = Json::array();
  for (const OpSpec& row : all_ops()) list.push_back(operation(row));
  const Json out{{"schema", 1}, {"tenon", TENON_TOOL_VERSION}, {"operations", std::move(list)}};
  std::puts(out.dump(1).c_str());
}

}  // namespace
}  // namespace tenon

int main() { tenon::print(); }
