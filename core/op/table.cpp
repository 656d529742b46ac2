#include "tenon/op_table.h"

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
// clang-format on

constexpr auto table = std::to_array<OpColumns>({TENON_OPS(TENON_COLUMNS_OF)});

}  // namespace

const OpColumns& columns(Op op) { return table[static_cast<std::size_t>(op)]; }

}  // namespace tenon
