#include "locale_state.h"

#include <gtest/gtest.h>

#include <clocale>

namespace tenon::host {
namespace {

using Words = std::vector<std::string>;

TEST(LocaleState, NamesAndUndoesWhatIsAnother) {
  ASSERT_STREQ(std::setlocale(LC_ALL, "C"), "C");
  const LocaleState state;
  EXPECT_EQ(state.changes(), Words{});
  const ::locale_t own = ::newlocale(LC_ALL_MASK, "C", nullptr);
  const auto expect_undone = [&](const Words& changed) {
    EXPECT_EQ(state.changes(), changed);
    state.set_back();
    EXPECT_EQ(state.changes(), Words{});
  };
  std::setlocale(LC_ALL, "C.UTF-8");
  expect_undone({"C's locale"});
  std::locale::global(std::locale(std::locale::classic(), new std::numpunct<char>));
  expect_undone({"C++'s locale"});
  std::locale::global(std::locale("C.UTF-8"));
  expect_undone({"C's locale", "C++'s locale"});
  ::uselocale(own);
  expect_undone({"the thread's locale"});
  ::freelocale(own);
}

TEST(LocaleState, SetsBackANameThatOnlyCHad) {
  ASSERT_NE(std::setlocale(LC_ALL, "C.UTF-8"), nullptr);
  const LocaleState state;
  std::locale::global(std::locale("C"));
  state.set_back();
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C.UTF-8");
  EXPECT_EQ(state.changes(), Words{});
  std::setlocale(LC_ALL, "C");
}

}  // namespace
}  // namespace tenon::host
