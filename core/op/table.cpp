#include "tenon/op_table.h"
#include "vjp.h"

namespace tenon {
namespace {

// clang-format off
#define TENON_GRADIENT_OF_plain(name) gradient::name
#define TENON_GRADIENT_OF_source(name) nullptr
#define TENON_GRADIENT_OF_random(name) nullptr
#define TENON_GRADIENT_OF_internal(name) nullptr
#define TENON_GRADIENT_OF_update(name) nullptr
#define TENON_COLUMNS_OF(name, reals, naturals, scalars, attributes, role, ...) \
  {TENON_GRADIENT_OF_##role(name), reference::name, cases::name},
#define TENON_VJP_COLUMNS_OF(name, ...) {nullptr, vjp_reference<Op::name>, vjp_cases<Op::name>},
// clang-format on

template <Op differentiated>
void vjp_reference(ReferenceCall& call) {
  vjp::reference(differentiated, call);
}

template <Op differentiated>
std::vector<Case> vjp_cases() {
  return vjp::cases(differentiated);
}

constexpr auto table = std::to_array<OpColumns>({TENON_OPS(TENON_COLUMNS_OF) TENON_OPS(TENON_VJP_COLUMNS_OF)});

}  // namespace

const OpColumns& columns(Op op) { return table[static_cast<std::size_t>(op)]; }

}  // namespace tenon
