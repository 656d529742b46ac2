// fault_fixture.h: what a checked call answers, or what the log says of one whose answer nobody reads.
#pragma once
#include <gtest/gtest.h>

#include "tenon/loaded_plugin.h"
#include "tenon/validation.h"
#include "validate/faults.h"
#include "validate/faulty_plugin.h"

namespace tenon::test {

class Faults : public testing::Test {
 protected:
  void SetUp() override { behaviour = {}; }
  void TearDown() override { behaviour = {}; }

  /// The words of a call that is refused; "" of one that is not.
  static std::string words(std::int32_t status) {
    const std::string text = take_plugin_error();
    if (status != host::status_validation_failed) return "";
    EXPECT_NE(text, "");
    return text;
  }

  /// What `act` makes the log say; nothing where it finds nothing.
  template <class Act>
  static std::string logged(Act act) {
    testing::internal::CaptureStderr();
    act();
    return testing::internal::GetCapturedStderr();
  }

  /// Expects that `text` holds every part in turn.
  static void expect_words(const std::string& text, std::initializer_list<std::string> parts) {
    std::size_t at = 0;
    for (const std::string& part : parts) {
      at = text.find(part, at);
      ASSERT_NE(at, std::string::npos) << "\"" << part << "\" in: " << text;
    }
  }

  static std::string number(const void* handle) { return std::to_string(host::id_of(handle)); }
};

}  // namespace tenon::test
