#include "surroundings.h"

#include <cfenv>

#include "tenon/fp_environment.h"
#include "tenon/text.h"

namespace tenon::check {
namespace {

std::string changed_fp_environment() {
  if (fp_environment_is_strict()) return {};
  return std::fegetround() == FE_TONEAREST ? "flush to zero" : "the direction of rounding";
}

}  // namespace

Surroundings::Surroundings() { set_fp_environment(); }

Changes Surroundings::take_changes() const {
  Changes changes{changed_fp_environment(), join(locale_.changes(), " and ")};
  set_fp_environment();
  if (!changes.locale.empty()) locale_.set_back();
  return changes;
}

}  // namespace tenon::check
