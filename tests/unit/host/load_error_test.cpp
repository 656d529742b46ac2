#include "load_error.h"

#include <gtest/gtest.h>

namespace tenon::host {
namespace {

void expect(const std::string& loader_words, Reason reason, const std::string& words) {
  const Error error = load_error("/opt/tenon_acme.so", loader_words);
  EXPECT_EQ(error.reason, reason) << error.text;
  EXPECT_EQ(error.text.substr(0, error.text.find(" (")), "[plugin] /opt/tenon_acme.so: " + words);
}

TEST(LoadError, NamesPluginAndDependency) {
  expect("libacme.so.9: cannot open shared object file: No such file or directory", Reason::MISSING_DEPENDENCY,
         "a dependency is missing: libacme.so.9");
}

TEST(LoadError, NamesTheVersionThatADependencyLacks) {
  expect("/lib/libc.so.6: version `GLIBC_2.99' not found (required by /opt/tenon_acme.so)", Reason::MISSING_DEPENDENCY,
         "a dependency is too old: GLIBC_2.99 is needed");
}

TEST(LoadError, NamesTheSymbol) {
  expect("/opt/tenon_acme.so: undefined symbol: acme_start", Reason::UNDEFINED_SYMBOL, "undefined symbol: acme_start");
  expect("/opt/tenon_acme.so: undefined symbol: acme_start, version ACME_1", Reason::UNDEFINED_SYMBOL,
         "undefined symbol: acme_start");
}

TEST(LoadError, RepeatsWhatItDoesNotKnow) {
  expect("/opt/tenon_acme.so: cannot open shared object file: Permission denied", Reason::LOAD_FAILED,
         "the dynamic loader refused it: /opt/tenon_acme.so: cannot open shared object file: Permission denied");
  expect("", Reason::LOAD_FAILED, "the dynamic loader refused it: ");
}

}  // namespace
}  // namespace tenon::host
