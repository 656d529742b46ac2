// foundation.h: objects of Foundation's.
#pragma once
#include <vector>

#include "objc.h"

namespace gpusim::metal {

struct String : Object {
  explicit String(std::string of);
  const char* utf8() { return text.c_str(); }
  const std::string text;
};

struct Error : Object {
  Error(long number, std::string words);
  long code_() { return code; }
  Object* description() { return autoreleased(new String(words)); }
  const long code;
  const std::string words;
};

struct Array : Object {
  explicit Array(std::vector<Ref<Object>> of);
  unsigned long count() { return elements.size(); }
  Object* at(unsigned long index);
  const std::vector<Ref<Object>> elements;
};

/// Into the place that a method has for it, if the caller wants it.
void set_error(Object** place, long code, const std::string& words);

}  // namespace gpusim::metal
