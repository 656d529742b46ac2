#include "tenon/program.h"

namespace tenon {
namespace {

result<void> missing(const Program& program, const char* found_no) {
  return fail(Reason::INVALID_ARGUMENT, "[session] program " + program.name + ": found no " + found_no);
}

}  // namespace

result<void> check_has_forward(const Program& program) {
  if (program.forward) return {};
  return missing(program, "forward program, expected one to evaluate");
}

result<void> check_has_loss(const Program& program) {
  if (program.loss) return {};
  return missing(program, "loss, expected one to train and differentiate");
}

}  // namespace tenon
