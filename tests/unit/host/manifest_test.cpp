#include "tenon/manifest.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "temp_folder.h"
#include "tenon/plugin.h"

namespace tenon {
namespace {

using test::manifest_text;
using test::replaced;
using test::TempFolder;

Error refusal(const std::string& text) {
  const TempFolder folder;
  const auto read = read_manifest(folder.write("x.tenon.json", text));
  EXPECT_FALSE(read) << text;
  return read ? Error{} : read.error();
}

void expect_refused(const std::string& text, const std::string& words) {
  const Error error = refusal(text);
  EXPECT_EQ(error.reason, Reason::MANIFEST_INVALID) << text;
  EXPECT_NE(error.text.find(words), std::string::npos) << error.text;
  EXPECT_NE(error.text.find("x.tenon.json: "), std::string::npos) << error.text;
}

TEST(Manifest, GivesEveryField) {
  const TempFolder folder;
  const auto read = read_manifest(folder.write("x.tenon.json", manifest_text("x", "acme", "npu")));
  ASSERT_TRUE(read) << read.error().text;
  EXPECT_EQ(read->id, "x");
  EXPECT_EQ(read->vendor, "acme");
  EXPECT_EQ(read->version, "1.2.3");
  EXPECT_EQ(read->library, folder / "x.so");
  ASSERT_EQ(read->devices.size(), 1u);
  EXPECT_EQ(read->devices[0].kind, "x");
  EXPECT_EQ(read->devices[0].device_class, "npu");
  EXPECT_FALSE(read->devices[0].software);
  EXPECT_EQ(read->abi_min, TENON_ABI_VERSION(1, 0));
  EXPECT_EQ(read->architecture, "x86_64");
}

TEST(Manifest, NamesEachMissingField) {
  for (const char* field : {"schema", "id", "vendor", "version", "library", "devices", "kind", "class", "software",
                            "abi", "min", "max", "architecture", "build_id"}) {
    const std::string quoted = "\"" + std::string(field) + "\":";
    expect_refused(replaced(manifest_text("x"), quoted, "\"other\":"), "field '" + std::string(field) + "' is missing");
  }
}

TEST(Manifest, NamesFieldOfWrongType) {
  expect_refused(replaced(manifest_text("x"), "\"1.2.3\"", "7"),
                 "field 'version' is of the wrong type: found number, expected string");
  expect_refused(replaced(manifest_text("x"), "false", "\"no\""),
                 "field 'software' is of the wrong type: found string, expected boolean");
  expect_refused(replaced(manifest_text("x"), "\"schema\": 1", "\"schema\": \"1\""),
                 "field 'schema' is of the wrong type");
}

TEST(Manifest, RefusesUnknownSchema) {
  expect_refused(replaced(manifest_text("x"), "\"schema\": 1", "\"schema\": 2"),
                 "field 'schema' is 2, this Tenon reads 1");
  expect_refused(replaced(manifest_text("x"), "\"schema\": 1", "\"schema\": 1.5"),
                 "field 'schema' is 1.5, this Tenon reads 1");
}

TEST(Manifest, RefusesWhatIsNoManifest) {
  expect_refused("", "it is not JSON");
  expect_refused("{", "it is not JSON");
  expect_refused("[]", "it is not a JSON object");
}

TEST(Manifest, RefusesLibraryThatIsNotARelativeFile) {
  expect_refused(replaced(manifest_text("x"), "x.so", "/x.so"), "'library' is absolute");
  expect_refused(replaced(manifest_text("x"), "x.so", "folder/"), "expected a file");
  expect_refused(replaced(manifest_text("x"), "x.so", ""), "'library' is empty");
}

TEST(Manifest, RefusesMalformedVersionsClassesAndKinds) {
  expect_refused(replaced(manifest_text("x"), "\"1.0\"", "\"one\""), "field 'abi.min' is 'one', expected major.minor");
  expect_refused(replaced(manifest_text("x"), "\"1.0\"", "\"1.65536\""), "expected major.minor");
  expect_refused(replaced(manifest_text("x"), "\"1.0\"", "\"1.1\""), "min is greater than max");
  expect_refused(replaced(manifest_text("x"), "\"other\"", "\"abacus\""), "expected cpu, gpu, npu or other");
  expect_refused(replaced(manifest_text("x"), "\"kind\": \"x\"", "\"kind\": \"a:0\""), "expected small letters");
}

TEST(Manifest, RefusesControlCharactersInEveryText) {
  const std::string fields = manifest_text("an_id", "a_vendor");
  for (const std::string character : {"\\n", "\\u001b", "\\u0000", "\\u007f", "\\u009b"})
    for (const auto& [field, value] : {std::pair<std::string, std::string>{"id", "\"an_id\""},
                                       {"vendor", "\"a_vendor\""},
                                       {"version", "\"1.2.3\""},
                                       {"kind", "\"an_id\", \"class\""},
                                       {"class", "\"other\""},
                                       {"library", "\"an_id.so\""},
                                       {"min", "\"1.0\""},
                                       {"architecture", "\"x86_64\""}})
      expect_refused(replaced(fields, value, "\"" + character + value.substr(1)),
                     "field '" + field + "' holds a control character");
}

TEST(Manifest, RefusesNamesThatNoDeviceWordCouldHold) {
  const auto with = [](const std::string& id, const std::string& vendor) { return manifest_text(id, vendor); };
  expect_refused(with("Id", "v"), "field 'id' is 'Id', expected small letters, digits, _ . and -");
  expect_refused(with("an id", "v"), "field 'id' is 'an id'");
  expect_refused(with("x", "a/b"), "field 'vendor' is 'a/b', expected letters, digits, _ . and -");
  expect_refused(with("x", "a b"), "field 'vendor' is 'a b'");
  const TempFolder folder;
  EXPECT_TRUE(read_manifest(folder.write("x.tenon.json", with("my-plugin_2.0", "ACME.com"))));
}

TEST(Manifest, RefusesTheKindAutoAndAKindTwice) {
  expect_refused(replaced(manifest_text("x"), "\"kind\": \"x\"", "\"kind\": \"auto\""), "field 'kind' is 'auto', ");
  const std::string one = R"({"kind": "x", "class": "other", "software": false})";
  expect_refused(replaced(manifest_text("x"), one, one + ", " + one), "field 'devices' brings the kind 'x' twice");
}

TEST(Manifest, RefusesFoldersAndPipes) {
  const TempFolder folder;
  std::filesystem::create_directory(folder / "folder.tenon.json");
  ASSERT_EQ(::mkfifo((folder / "pipe.tenon.json").c_str(), 0600), 0);
  EXPECT_EQ(read_manifest(folder / "folder.tenon.json").error().reason, Reason::FILE_UNREADABLE);
  EXPECT_EQ(read_manifest(folder / "pipe.tenon.json").error().reason, Reason::FILE_UNREADABLE);
}

TEST(Manifest, SaysThatTheFileIsMissing) {
  const TempFolder folder;
  const auto read = read_manifest(folder / "none.tenon.json");
  ASSERT_FALSE(read);
  EXPECT_EQ(read.error().reason, Reason::FILE_NOT_FOUND);
}

}  // namespace
}  // namespace tenon
