#include "surroundings.h"

#include <cfenv>
#include <clocale>
#include <vector>

#include "tenon/fp_environment.h"
#include "tenon/text.h"

namespace tenon::check {
namespace {

std::string changed_fp_environment() {
  if (fp_environment_is_strict()) return {};
  return std::fegetround() == FE_TONEAREST ? "flush to zero" : "the direction of rounding";
}

}  // namespace

Surroundings::Surroundings() : c_(std::setlocale(LC_ALL, nullptr)), thread_(::uselocale(nullptr)) {
  set_fp_environment();
}

std::string Surroundings::changed_locale() const {
  std::vector<std::string> changed;
  if (c_ != std::setlocale(LC_ALL, nullptr)) changed.emplace_back("C's locale");
  if (cpp_ != std::locale()) changed.emplace_back("C++'s locale");
  if (thread_ != ::uselocale(nullptr)) changed.emplace_back("the thread's locale");
  return join(changed, " and ");
}

Changes Surroundings::take_changes() const {
  Changes changes{changed_fp_environment(), changed_locale()};
  set_fp_environment();
  if (changes.locale.empty()) return changes;
  ::uselocale(thread_);
  std::locale::global(cpp_);  // first: one that has a name becomes C's, too
  std::setlocale(LC_ALL, c_.c_str());
  return changes;
}

}  // namespace tenon::check
