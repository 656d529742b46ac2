// tenon new-plugin: what it writes (that it builds, installed_sdk_test.cpp shows) and what it refuses.
#include <gtest/gtest.h>

#include "cli/run_tenon.h"

namespace tenon::test {
namespace {

TEST(NewPlugin, WritesTheNamesThatItIsGiven) {
  const Workplace place;
  const Outcome outcome =
      place.tenon({"new-plugin", "my_template_kind", "--kind", "abc", "--vendor", "A.B", "--into", place / "."});
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  const fs::path folder = place / "my_template_kind";
  const std::string code = read_file(folder / "my_template_kind.cpp");
  EXPECT_NE(code.find("identity{\"my_template_kind\", \"A.B\", \"0.1.0\"}"), std::string::npos) << code;
  EXPECT_NE(code.find("info.kind = \"abc\""), std::string::npos) << code;
  EXPECT_NE(read_file(folder / "CMakeLists.txt").find("DEVICES abc:other:software"), std::string::npos);
  EXPECT_NE(read_file(folder / "README.md").find("--device A.B/abc "), std::string::npos);
  EXPECT_NE(read_file(folder / "README.md").find(" check build/lib/tenon-plugins/my_template_kind.tenon.json\n"),
            std::string::npos);
  for (const auto& [file, text] : place.contents()) {
    EXPECT_EQ(text.find("template_name"), std::string::npos) << file;
    EXPECT_EQ(text.find("template_vendor"), std::string::npos) << file;
  }
}

/// As the build makes it of the template, with the words that are replaced.
TEST(NewPlugin, WritesAPluginThatIsCertified) {
  const Workplace place;
  const Outcome outcome =
      place.tenon({"check", TENON_TEST_BUILD_DIR "/test-plugins/template/template_name.tenon.json"});
  EXPECT_EQ(outcome.status, 0) << outcome.out << outcome.err;
  EXPECT_NE(outcome.out.find("\ncertified: "), std::string::npos) << outcome.out;
}

TEST(NewPlugin, PrintsCommandsThatAShellCanRead) {
  const Workplace place;
  const Outcome outcome = place.tenon({"new-plugin", "acme", "--into", place / "."});
  const std::string folder = (place / "acme").string();
  EXPECT_NE(outcome.out.find("cmake -S '" + folder + "' -B '" + folder + "/build'"), std::string::npos) << outcome.out;
  const std::string manifest = "'" + folder + "/build/lib/tenon-plugins/acme.tenon.json'";
  EXPECT_NE(outcome.out.find(" check " + manifest + "\n"), std::string::npos) << outcome.out;
  EXPECT_NE(outcome.out.find(" --device me/acme --plugin " + manifest + " "), std::string::npos) << outcome.out;
}

TEST(NewPlugin, RefusesWhatIsNoName) {
  const Workplace place;
  for (const char* name : {"Acme", "a-b", "1a", "", "auto", "a/b", "..", "ü"}) {
    const Outcome outcome = place.tenon({"new-plugin", name, "--into", place / "."});
    EXPECT_EQ(outcome.status, 2) << name;
    EXPECT_NE(outcome.err.find("expected a small letter, then small letters, digits and _"), std::string::npos)
        << outcome.err;
  }
  EXPECT_EQ(place.tenon({"new-plugin", "a", "--kind", "A", "--into", place / "."}).status, 2);
  EXPECT_EQ(place.tenon({"new-plugin", "a", "--vendor", "a b", "--into", place / "."}).status, 2);
  EXPECT_EQ(place.tenon({"new-plugin", "a", "b", "--into", place / "."}).status, 2);
  EXPECT_EQ(place.tenon({"new-plugin"}).status, 2);
  EXPECT_TRUE(place.contents().empty());
}

TEST(NewPlugin, SaysWhyAFolderCannotBeMade) {
  const Workplace place;
  const std::string file = place.write("file", "");
  const auto before = place.contents();
  const auto refused = [&](const std::string& name, const std::string& into) {
    const Outcome outcome = place.tenon({"new-plugin", name, "--into", into});
    EXPECT_EQ(outcome.status, 1);
    return outcome.err;
  };
  EXPECT_NE(refused(std::string(300, 'a'), place / ".").find("cannot be made: File name too long"), std::string::npos);
  EXPECT_NE(refused("a", std::string(300, 'b')).find("cannot be made: File name too long"), std::string::npos);
  EXPECT_NE(refused("a", file).find("cannot be made: Not a directory"), std::string::npos);
  EXPECT_NE(refused("a", place / "nowhere").find("cannot be made: No such file or directory"), std::string::npos);
  EXPECT_EQ(place.contents(), before);
}

TEST(NewPlugin, LeavesAFolderAloneThatIsThere) {
  const Workplace place;
  fs::create_directory(place / "acme");
  place.write("acme/mine.txt", "mine");
  const auto before = place.contents();
  const Outcome outcome = place.tenon({"new-plugin", "acme", "--into", place / "."});
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find((place / "acme").string() + ": is there already"), std::string::npos) << outcome.err;
  EXPECT_EQ(place.contents(), before);
}

TEST(NewPlugin, LeavesNothingBehindWhereItFails) {
  const Workplace place;
  const Outcome outcome = place.shell("ulimit -f 1\n\"$TENON\" new-plugin acme");
  EXPECT_EQ(outcome.status, 1);
  EXPECT_NE(outcome.err.find("[new-plugin] acme/"), std::string::npos) << outcome.err;
  EXPECT_FALSE(fs::exists(place / "acme"));
}

}  // namespace
}  // namespace tenon::test
