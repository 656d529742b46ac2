// source_init.h: the source operation that gives a tensor its first value. Plain data.
#pragma once
#include "tenon/op.h"

namespace tenon {

struct SourceInit {
  Op op = Op::fill;
  Attributes attributes;  // its shape is the tensor's
  std::uint64_t key = 0;  // of a draw
};

}  // namespace tenon
