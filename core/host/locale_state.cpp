#include "locale_state.h"

#include <clocale>

namespace tenon::host {

LocaleState::LocaleState() : c_(std::setlocale(LC_ALL, nullptr)), thread_(::uselocale(nullptr)) {}

std::vector<std::string> LocaleState::changes() const {
  std::vector<std::string> changed;
  if (c_ != std::setlocale(LC_ALL, nullptr)) changed.emplace_back("C's locale");
  if (cpp_ != std::locale()) changed.emplace_back("C++'s locale");
  if (thread_ != ::uselocale(nullptr)) changed.emplace_back("the thread's locale");
  return changed;
}

/// The order matters: a global locale of C++ that has a name becomes C's, too.
void LocaleState::set_back() const {
  ::uselocale(thread_);
  std::locale::global(cpp_);
  std::setlocale(LC_ALL, c_.c_str());
}

}  // namespace tenon::host
