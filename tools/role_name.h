// role_name.h: what the printed tables of operations call a role. Pure; any thread.
#pragma once
#include <string_view>

#include "tenon/op.h"

namespace tenon {

constexpr std::string_view name(Role role) {
  switch (role) {
    case Role::plain:
      return "differentiable";
    case Role::source:
      return "source";
    case Role::random:
      return "random source";
    case Role::internal:
      return "internal gradient";
    case Role::update:
      return "update";
    case Role::vjp:
      return "derived gradient";
  }
  return "?";
}

}  // namespace tenon
