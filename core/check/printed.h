// printed.h: what was written to standard output of this process since it was last asked. One per process.
#pragma once
#include <string>
#include <string_view>

namespace tenon::check {

class Printed {
 public:
  /// From now on descriptor 1 leads into memory.
  Printed();
  /// It leads again to where it did, and what nobody took goes there.
  ~Printed();
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  /// What is there, which is forgotten.
  std::string take();

 private:
  int before_, memory_;
};

/// "it wrote 'hello'".
std::string wrote(std::string_view words);

}  // namespace tenon::check
