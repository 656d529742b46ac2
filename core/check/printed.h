// printed.h: what was written to standard output of this process since it was last asked. One per process.
#pragma once
#include <string>

namespace tenon::check {

class Printed {
 public:
  /// From now on descriptor 1 leads into memory.
  Printed();
  ~Printed();
  Printed(const Printed&) = delete;
  Printed& operator=(const Printed&) = delete;

  /// What is there, which is forgotten.
  std::string take();

 private:
  int memory_;
};

}  // namespace tenon::check
