#include "tenon/shape.h"

#include "tenon/message.h"

namespace tenon {

std::string to_string(const Shape& shape) {
  Message text;
  text << shape;
  return std::string(text.view());
}

}  // namespace tenon
