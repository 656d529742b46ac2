// data.h: bytes as an object of libdispatch's.
#pragma once
#include "objc.h"

namespace gpusim::metal {

struct Data : Object {
  explicit Data(std::string of);
  const std::string bytes;
};

}  // namespace gpusim::metal
