// What a plugin must leave as it found it: the floating-point environment and the locale. Where it does not, the host
// sets it back and says so; where the host does not look (a launch), what Tenon prints and reads stays the same.
#include <clocale>
#include <locale>
#include <regex>
#include <sstream>

#include "misdeeds.h"
#include "plugin_copy.h"
#include "tenon/fp_environment.h"
#include "tenon/text.h"

namespace tenon::test {
namespace {

const std::vector<std::string> before_open{"constructor", "tenon_plugin_query", "initialize", "enumerate"};

std::string call_of(const std::string& where) { return where == "enumerate" ? "enumerate" : "loading it"; }

/// Makes the locale `comma` below `folder`, of which LOCPATH tells the C library. False where that cannot be done.
bool make_comma_locale(const fs::path& folder) {
  fs::create_directories(folder);
  std::ofstream(folder / "source") << "LC_NUMERIC\ndecimal_point \",\"\nthousands_sep \".\"\ngrouping 3;3\n"
                                      "END LC_NUMERIC\n";
  const std::string in = "cd '" + folder.string() + "' && ";
  return std::system((in + "localedef -c --no-archive -i ./source ./comma >words 2>&1; test -d comma").c_str()) == 0;
}

class LeftAsFound : public Misdeeds {
 protected:
  /// The plugin's locales have decimal commas from now on, or the test says that there is none.
  bool have_commas() {
    place_.set("LOCPATH", place_ / ".cache");
    return make_comma_locale(place_ / ".cache");
  }
};

const std::string no_commas = "localedef made no locale with decimal commas";

#if defined(__x86_64__)
TEST_F(LeftAsFound, FlushToZeroIsSetBackAndTold) {
  for (const std::string& where : before_open) {
    SCOPED_TRACE(where);
    misbehave("flush to zero", where);
    expect_usable();
    const std::string said = expect_negated();
    expect_words(said, {library_ + ": " + call_of(where) + " changed the floating-point environment; it was set back"});
    EXPECT_EQ(count(said, "FP_ENVIRONMENT"), 1u) << said;
  }
}

TEST_F(LeftAsFound, FlushToZeroByALaunchDoesNotReachTheNumbersReadBack) {
  place_.write("numbers.csv", "a,b\n1.5,1e-40\n");
  ASSERT_EQ(place_.tenon(negate()).status, 0);
  const std::string kept = read_file(output_);
  ASSERT_TRUE(kept.ends_with("e-41\n")) << kept;
  misbehave("flush to zero", "launch");
  const Outcome outcome = place_.tenon(negate());
  EXPECT_EQ(outcome.status, 0) << outcome.err;
  EXPECT_EQ(read_file(output_), kept);
}

TEST_F(LeftAsFound, FlushToZeroByALaunchIsToldOnce) {
  misbehave("flush to zero", "launch");
  for (const char* backend : {"eager", "compiled"}) {
    const std::string said = expect_negated({"--backend", backend});
    expect_words(said, {library_ + ": running its kernels changed the floating-point environment; it was set back"});
    EXPECT_EQ(count(said, "FP_ENVIRONMENT"), 1u) << said;
  }
}
#endif

TEST_F(LeftAsFound, TheLocaleIsSetBackAndTold) {
  if (!have_commas()) GTEST_SKIP() << no_commas;
  for (const std::string deed : {"change the C locale", "change the C++ locale", "change the thread's locale"})
    for (const std::string& where : before_open) {
      SCOPED_TRACE(deed + " in " + where);
      misbehave(deed, where);
      expect_usable();
      const std::string said = expect_negated();
      expect_words(said, {library_ + ": " + call_of(where) + " changed the locale, "});
      EXPECT_EQ(count(said, "LOCALE_CHANGED: report this to the plugin's vendor"), 1u) << said;
    }
}

TEST_F(LeftAsFound, ALocaleThatALaunchChangesDoesNotReachWhatTenonPrints) {
  if (!have_commas()) GTEST_SKIP() << no_commas;
  for (const std::string deed : {"change the C locale", "change the C++ locale", "change the thread's locale"})
    for (const std::string where : {"prepare", "launch", "copy_in"}) {
      SCOPED_TRACE(deed + " in " + where);
      misbehave(deed, where);
      const std::string said = expect_negated({"--profile"});
      EXPECT_TRUE(std::regex_search(said, std::regex(R"(faulty\.neg .* \d+\.\d %)"))) << said;
    }
}

struct Commas : std::numpunct<char> {
  char do_decimal_point() const override { return ','; }
};

class InThisProcess : public PluginCopies {
 protected:
  ~InThisProcess() override {
    std::locale::global(std::locale::classic());
    std::setlocale(LC_ALL, "C");
  }

  /// Loads a fresh copy that does `deed` in `where`, and looks for its devices.
  void load_one_that(const std::string& deed, const std::string& where) {
    const Variable what("FAULTY_DEED", deed), place("FAULTY_PLACE", where);
    const auto plugin = load(copy("misbehaves", "copy " + std::to_string(copies_++)));
    ASSERT_TRUE(plugin);
    EXPECT_TRUE(enumerate_devices(*plugin));
  }

  int copies_ = 0;
};

TEST_F(InThisProcess, TheCallersOwnEnvironmentAndLocaleAreThereAfterwards) {
  std::locale::global(std::locale("C.UTF-8"));
  testing::internal::CaptureStderr();
  for (const std::string deed :
       {"change the C++ locale", "change the thread's locale", "change the C locale", "flush to zero"})
    for (const std::string& where : before_open) load_one_that(deed, where);
  std::setlocale(LC_ALL, "C");
  for (const std::string& where : before_open) load_one_that("change the C locale", where);
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(count(said, " changed the locale"), 12u) << said;
  EXPECT_TRUE(fp_environment_is_strict());
  EXPECT_STREQ(std::setlocale(LC_ALL, nullptr), "C");
  EXPECT_EQ(std::locale().name(), "C.UTF-8");
  EXPECT_EQ(::uselocale(nullptr), LC_GLOBAL_LOCALE);
}

TEST_F(InThisProcess, NumbersHaveAPointWhateverTheLocale) {
  const Variable folder("LOCPATH", root.path().string());
  if (!make_comma_locale(root.path())) GTEST_SKIP() << no_commas;
  ASSERT_NE(std::setlocale(LC_ALL, "comma"), nullptr);
  std::locale::global(std::locale(std::locale::classic(), new Commas));
  char text[8];
  std::snprintf(text, sizeof text, "%.1f", 1.5);
  ASSERT_STREQ(text, "1,5");
  ASSERT_EQ((std::ostringstream() << 1.5).str(), "1,5");
  EXPECT_EQ(shortest(-1234.5), "-1234.5");
  EXPECT_EQ(parse_double("1234.5"), 1234.5);
  EXPECT_EQ(parse_double("1,5"), std::nullopt);
  EXPECT_EQ(nlohmann::json::parse("1.5").get<double>(), 1.5);
  EXPECT_EQ(nlohmann::json(1234.5).dump(), "1234.5");
}

}  // namespace
}  // namespace tenon::test
