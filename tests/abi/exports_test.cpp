// What the libraries export: libtenon.so the list in golden/libtenon.exports, a plugin its entry point.
// TENON_UPDATE_GOLDEN=1 writes the list anew.
#include <gtest/gtest.h>

#include <cstdio>
#include <cstdlib>
#include <set>

#include "growth.h"

namespace tenon::test {
namespace {

namespace fs = std::filesystem;

const fs::path build = TENON_TEST_BUILD_DIR;

std::string output_of(const std::string& command) {
  std::string out;
  FILE* pipe = ::popen(command.c_str(), "r");
  for (int c; (c = std::fgetc(pipe)) != EOF;) out += static_cast<char>(c);
  EXPECT_EQ(::pclose(pipe), 0) << command;
  return out;
}

struct Symbol {
  std::string kind, name;
  auto operator<=>(const Symbol&) const = default;
};

std::set<Symbol> exports_of(const fs::path& library) {
  std::istringstream lines(output_of(TENON_TEST_NM " -DC --defined-only '" + library.string() + "'"));
  std::set<Symbol> out;
  for (std::string address, kind, name; lines >> address >> kind && std::getline(lines, name);)
    out.insert({kind, name.substr(1)});
  return out;
}

/// Is it the library's own for good? What the compiler copies into every library that uses it (inline functions,
/// templates, tables of types) differs from compiler to compiler.
bool is_own(const Symbol& symbol) {
  const bool is_table = symbol.name.starts_with("vtable for ") || symbol.name.starts_with("typeinfo ");
  return !is_table && std::string_view("TDBR").find(symbol.kind) != std::string_view::npos;
}

TEST(Exports, OfTheLibraryAreThoseThatAreRecorded) {
  const fs::path file = TENON_TEST_SOURCE_DIR "/tests/abi/golden/libtenon.exports";
  std::set<std::string> names;
  std::string actual;
  for (const Symbol& symbol : exports_of(build / "lib/libtenon.so"))
    if (is_own(symbol)) names.insert(symbol.name);
  for (const std::string& name : names) actual += name + "\n";
  if (std::getenv("TENON_UPDATE_GOLDEN") != nullptr) std::ofstream(file, std::ios::binary) << actual;
  EXPECT_EQ(actual, text_of(file)) << "if the change of the interface is meant: run with TENON_UPDATE_GOLDEN=1";
}

/// Weak and unique ones, too: they are what two plugins could share by mistake.
TEST(Exports, OfAPluginAreItsEntryPoint) {
  std::size_t plugins = 0;
  for (const auto& entry : fs::directory_iterator(build / "lib/tenon-plugins")) {
    if (entry.path().extension() != ".so") continue;
    ++plugins;
    EXPECT_EQ(exports_of(entry.path()), (std::set<Symbol>{{"T", "tenon_plugin_query"}})) << entry.path();
  }
  EXPECT_GE(plugins, 1u);
}

}  // namespace
}  // namespace tenon::test
