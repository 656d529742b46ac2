// Certificates of whole plugins: what holds, what is known to fail, and what happens to the process that checks.
#include <algorithm>
#include <fstream>

#include "certificates.h"
#include "certify_by.h"
#include "check.h"
#include "messages.h"
#include "tenon/check_pattern.h"
#include "unit/host/temp_folder.h"

namespace tenon::check::test {
namespace {

const CheckResult* find(const Certificate& certificate, const std::string& id) {
  const auto found = std::ranges::find(certificate.results, id, &CheckResult::id);
  return found == certificate.results.end() ? nullptr : &*found;
}

class Certificates : public testing::Test {
 protected:
  std::string write(const std::string& name, const std::string& text) { return folder_.write(name, text).string(); }

  /// The error of reading a file of exclusions with this text.
  std::string refusal(const std::string& text) {
    const auto read = read_exclusions(write("exclusions.json", text));
    return read ? "it was read" : read.error().text;
  }

  tenon::test::TempFolder folder_;
};

TEST_F(Certificates, HoldForTheCpu) {
  const fs::path file = fs::path(TENON_TEST_BUILD_DIR) / "lib/tenon-plugins/cpu.tenon.json";
  const std::vector<std::string> parts{"life/", "memory/", "streams/", ":cpu.reference.softmax.f32"};
  for (const std::string& only : is_sanitized() ? parts : std::vector<std::string>{""}) {
    const Certificate certificate = certificate_of(file, {.only = only});
    EXPECT_TRUE(certificate.holds()) << failures(certificate);
    EXPECT_GT(certificate.count(Outcome::passed), 5u) << only;
  }
}

/// Its kernels are those of the cpu, in f64 too.
TEST_F(Certificates, HoldForADeviceThatIsAlwaysLate) {
  for (const char* only : {"interface/", "life/", "memory/", "streams/", "threads/streams",
                           is_sanitized() ? ":late.linear.f32" : ":late.*.f32"}) {
    const Certificate certificate = certificate_of(plugin_file("late/late.tenon.json"), {.only = only});
    EXPECT_TRUE(certificate.holds()) << failures(certificate);
    EXPECT_GT(certificate.count(Outcome::passed), 0u) << only;
  }
}

TEST_F(Certificates, HoldForKernelsOnTheCpusDevice) {
  const Certificate certificate = certificate_of(plugin_file("kernels_only/kernels_only.tenon.json"));
  EXPECT_TRUE(certificate.holds()) << failures(certificate);
  ASSERT_NE(find(certificate, "capsules/strict-bits:acme.relu.f32"), nullptr);
  EXPECT_EQ(find(certificate, "capsules/strict-bits:acme.relu.f32")->outcome, Outcome::passed);
  EXPECT_EQ(find(certificate, "memory/copies")->outcome, Outcome::skipped);
}

TEST_F(Certificates, DoNotHoldForKernelsThatHaveNoDeviceToRunOn) {
  if (is_sanitized()) GTEST_SKIP() << "where no file can be opened, UBSan takes every object for a broken one";
  const Certificate certificate = certificate_of(flawed_file("no_cpu"), {.only = "capsules/"});
  EXPECT_EQ(certificate.results.size(), 12u);
  for (const CheckResult& r : certificate.results) {
    EXPECT_EQ(r.outcome, Outcome::failed) << r.id();
    EXPECT_EQ(r.found, "no device to run its kernels on: the plugin cpu does not lie beside libtenon.so") << r.id();
  }
}

/// X.vjp is held to the bits of X's rule, whose operations the cpu runs one by one.
TEST_F(Certificates, HoldForGradientsOfAThirdParty) {
  const Certificate certificate = certificate_of(plugin_file("own_gradients/own_gradients.tenon.json"));
  EXPECT_TRUE(certificate.holds()) << failures(certificate);
  for (const std::string capsule : {"linear.vjp.f32", "linear.vjp.f64", "hard_masked_softmax.vjp.f32"}) {
    const CheckResult* bits = find(certificate, "capsules/strict-bits:acme." + capsule);
    ASSERT_NE(bits, nullptr) << capsule;
    EXPECT_EQ(bits->outcome, Outcome::passed) << capsule << ": " << bits->found;
  }
}

TEST_F(Certificates, DoNotHoldForADeviceThatDoesNothing) {
  const Certificate certificate = certificate_of(plugin_file("null/null.tenon.json"));
  EXPECT_EQ(ids(certificate, Outcome::failed), std::set<std::string>{"life/open"}) << failures(certificate);
  EXPECT_EQ(find(certificate, "life/open")->found, "open returned TENON_UNIMPLEMENTED");
  EXPECT_EQ(find(certificate, "capsules/values:null.add.f32")->found, "no device could be opened: see life/open");
}

TEST_F(Certificates, SayWhatWasExamined) {
  const Certificate certificate = certificate_of(flawed_file("flawless"));
  EXPECT_EQ(certificate.vendor + "/" + certificate.plugin + " " + certificate.version, "flawed/flawless 1.0");
  EXPECT_EQ(certificate.abi, abi_text());
  EXPECT_EQ(certificate.device, "flawless:0, a small device");
}

TEST_F(Certificates, ExcuseAProviderThatIsNotInstalledWhereAnotherServes) {
  const Certificate certificate = certificate_of(flawed_file("uninstalled"), {.only = "capsules/*:flawed.*neg*"});
  EXPECT_EQ(ids(certificate, Outcome::failed), std::set<std::string>{}) << failures(certificate);
  EXPECT_EQ(find(certificate, "capsules/serves:flawed.neg.f32")->outcome, Outcome::passed);
  const CheckResult* serves = find(certificate, "capsules/serves:flawed.fast.neg.f32");
  ASSERT_NE(serves, nullptr);
  EXPECT_EQ(serves->outcome, Outcome::skipped);
  EXPECT_EQ(serves->found,
            "it declines every case of the table, the last for: libfast.so.1 was not found; "
            "flawed.neg.f32 serves in its place");
}

TEST_F(Certificates, AreAboutFilesThatExist) {
  const auto certificate = certify(folder_.path() / "none.so", {});
  ASSERT_FALSE(certificate);
  EXPECT_EQ(certificate.error().reason, Reason::FILE_NOT_FOUND);
}

TEST_F(Certificates, AreNotMadeByAProgramThatDoesNotAnswer) {
  const fs::path program = write("tenon-certify", "#!/bin/sh\nexec sleep 1000\n");
  fs::permissions(program, fs::perms::owner_all);
  const auto certificate = certify_by(program, flawed_file("flawless"), {.limit = std::chrono::milliseconds(100)});
  ASSERT_FALSE(certificate);
  EXPECT_EQ(certificate.error().reason, Reason::PROBE_FAILED);
  EXPECT_EQ(
      certificate.error().text,
      "[check] " + program.string() + ": it did not answer as this Tenon's own helper program does: signal SIGKILL");
}

TEST_F(Certificates, FailForAFileThatIsNoLibrary) {
  const Certificate certificate = certificate_of(write("note.so", "a note"));
  ASSERT_EQ(certificate.results.size(), 1u);
  EXPECT_EQ(certificate.results[0].check, "interface/loads");
  EXPECT_EQ(certificate.results[0].found, "not an ELF shared object");
}

TEST_F(Certificates, FailForAManifestThatSaysOtherThanThePlugin) {
  fs::copy_file(flawed_file("flawless"), folder_.path() / "tenon_flawless.so");
  const auto found = [&](const std::string& version, const std::string& abi) {
    const std::string manifest = write("flawless.tenon.json", R"({"schema": 1, "id": "flawless", "vendor": "flawed",
      "version": ")" + version + R"(", "library": "tenon_flawless.so", "abi": {"min": "1.0", "max": ")" +
                                                                  abi + R"("},
      "build_id": "", "devices": [{"kind": "flawless", "class": "other", "software": true}],
      "architecture": "x86_64"})");
    const Certificate certificate = certificate_of(manifest, {.only = "interface/"});
    EXPECT_EQ(ids(certificate, Outcome::failed), std::set<std::string>{"interface/manifest"});
    const CheckResult* r = find(certificate, "interface/manifest");
    return r != nullptr ? r->found + ", and " + r->expected : "";
  };
  EXPECT_EQ(found("2.0", "1.0"), "the manifest's version is '2.0', and the plugin's: '1.0'");
  EXPECT_EQ(found("1.0", "1.1"), "the manifest's ABI range is '1.0 to 1.1', and the plugin's: '" + abi_text() + "'");
}

TEST_F(Certificates, GoOnAfterACrash) {
  const Certificate certificate = certificate_of(flawed_file("crashes"));
  EXPECT_EQ(find(certificate, "capsules/bounds:flawed.neg.f32")->found, "it ended the process of an earlier check");
  EXPECT_EQ(find(certificate, "capsules/bounds:flawed.reshape.f32")->outcome, Outcome::passed);
  EXPECT_EQ(find(certificate, "robustness/stdout")->outcome, Outcome::passed);
}

/// Its skipped checks send their reader to the one that says so.
TEST_F(Certificates, SayOnceThatACombinationOfDTypesIsEmpty) {
  const Certificate certificate = certificate_of(flawed_file("empty_dtypes"));
  EXPECT_EQ(ids(certificate, Outcome::failed), std::set<std::string>{"interface/capsule-fields"})
      << failures(certificate);
  const CheckResult* values = find(certificate, "capsules/values:flawed.neg.f32");
  ASSERT_NE(values, nullptr);
  EXPECT_EQ(values->outcome, Outcome::skipped);
  EXPECT_EQ(values->found, "its dtypes are empty: see interface/capsule-fields");
}

/// Whatever runs the kernel takes it for one that was granted no place.
TEST_F(Certificates, SayOnceThatGrantedPlacesAreNotListed) {
  const Certificate certificate = certificate_of(flawed_file("grants_without_list"));
  EXPECT_EQ(ids(certificate, Outcome::failed), std::set<std::string>{"contracts/in-place:flawed.neg.f32"})
      << failures(certificate);
}

TEST_F(Certificates, AskForAPartOnly) {
  const Certificate certificate = certificate_of(flawed_file("flawless"), {.only = "contracts/*:flawed.neg"});
  EXPECT_EQ(certificate.results.size(), 13u);
  for (const CheckResult& r : certificate.results) EXPECT_EQ(r.capsule, "flawed.neg.f32");
}

TEST_F(Certificates, SayWhatShowsAFailureOfNoOneCheckAgain) {
  const Certificate certificate = certificate_of(flawed_file("exit_launched"), {.only = "*/*a*:flawed.neg"});
  ASSERT_NE(find(certificate, "life/exit"), nullptr);
  EXPECT_EQ(find(certificate, "life/exit")->found, "when the checks were over, it ended the process: exit status 3");
  EXPECT_EQ(find(certificate, "life/exit")->again(), "*/*a*:flawed.neg");
  EXPECT_TRUE(certificate_of(flawed_file("exit_launched"), {.only = "life/"}).holds());
}

TEST_F(Certificates, SayDuringWhichCheckSomethingWasWritten) {
  const Certificate certificate = certificate_of(flawed_file("stdout"), {.only = "*:flawed.neg"});
  EXPECT_EQ(find(certificate, "robustness/stdout")->again(), "capsules/values:flawed.neg.f32");
}

TEST_F(Certificates, RefuseAPatternThatFitsNothing) {
  const auto certificate = certify(flawed_file("flawless"), {.only = "memroy"});
  ASSERT_FALSE(certificate);
  EXPECT_EQ(certificate.error().reason, Reason::USAGE);
  EXPECT_NE(certificate.error().text.find("memroy"), std::string::npos);
}

TEST_F(Certificates, SetKnownFailuresApart) {
  const Exclusion known{"memory/trim", "", "the driver cannot"};
  const Certificate certificate = certificate_of(flawed_file("trim"), {.exclusions = {known}});
  EXPECT_TRUE(certificate.holds());
  EXPECT_EQ(find(certificate, "memory/trim")->outcome, Outcome::excluded);
  EXPECT_EQ(find(certificate, "memory/trim")->found, "the driver cannot");
}

TEST_F(Certificates, ExcludeOneCapsuleAlone) {
  const Exclusion known{"contracts/numerics", "flawed.neg.f32", "not yet"};
  const Certificate certificate = certificate_of(flawed_file("numerics"), {.exclusions = {known}});
  EXPECT_EQ(ids(certificate, Outcome::excluded), std::set<std::string>{"contracts/numerics:flawed.neg.f32"});
  EXPECT_EQ(ids(certificate, Outcome::failed), std::set<std::string>{"contracts/numerics:flawed.reshape.f32"});
}

TEST_F(Certificates, FailWhereAnExclusionIsStale) {
  const std::vector<Exclusion> stale{{"memory/trim", "", "was mended"}, {"memory/no-such-check", "", "was renamed"}};
  const Certificate certificate = certificate_of(flawed_file("flawless"), {.exclusions = stale});
  EXPECT_EQ(certificate.count(Outcome::failed), 0u);
  EXPECT_EQ(certificate.stale.size(), 2u);
  EXPECT_FALSE(certificate.holds());
}

TEST_F(Certificates, JudgeNoExclusionThatWasNotAskedFor) {
  const Exclusion other{"memory/trim", "", "the driver cannot"};
  EXPECT_TRUE(certificate_of(flawed_file("flawless"), {.only = "life/open", .exclusions = {other}}).holds());
}

TEST_F(Certificates, ReadExclusionsWithTheirReasons) {
  const auto read = read_exclusions(write("good.json", R"([{"check": "a/b", "capsule": "c", "reason": "why"}])"));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->front().check + " " + read->front().capsule + " " + read->front().reason, "a/b c why");
  EXPECT_NE(refusal("{").find("it is not a JSON list"), std::string::npos);
  EXPECT_NE(refusal("[1]").find("entry 1 is no object"), std::string::npos);
  EXPECT_NE(refusal(R"([{"check": "a/b"}])").find("entry 1: 'reason' is missing"), std::string::npos);
  EXPECT_NE(refusal(R"([{"check": "a/b", "reason": ""}])").find("'reason' is \"\", expected a text"),
            std::string::npos);
  EXPECT_NE(refusal(R"([{"check": "a/b", "reason": "why"}, {"check": "a/b", "capsul": "c", "reason": "why"}])")
                .find("entry 2: found the key 'capsul', expected check, capsule, reason"),
            std::string::npos);
}

TEST(Patterns, FitPartsWithStarsForAnything) {
  EXPECT_TRUE(matches("", "memory/trim"));
  EXPECT_TRUE(matches("memory", "memory/trim"));
  EXPECT_TRUE(matches("trim", "memory/trim"));
  EXPECT_TRUE(matches("m*t*m", "memory/trim"));
  EXPECT_TRUE(matches("trim*", "memory/trim"));
  EXPECT_FALSE(matches("trim*memory", "memory/trim"));
  EXPECT_FALSE(matches("trims", "memory/trim"));
}

TEST(Patterns, MayFitCapsulesThatAreNotKnownYet) {
  EXPECT_TRUE(may_match("capsules/values:acme", "capsules/values", true));
  EXPECT_TRUE(may_match(":acme", "capsules/values", true));
  EXPECT_TRUE(may_match("trim", "memory/trim", false));
  EXPECT_FALSE(may_match("capsules/values:acme", "capsules/bounds", true));
  EXPECT_FALSE(may_match(":acme", "memory/trim", false));
  EXPECT_FALSE(may_match("acme", "capsules/values", true));
}

TEST(Messages, LeaveOutWhatAPluginWroteBetweenThem) {
  const std::string text = to_line(Fact{"vendor", "acme"}) + "hello\n{\"check\": 1}\n" + to_line(GoOn{7}) + "{\"done\"";
  const std::vector<Message> read = read_lines(text);
  ASSERT_EQ(read.size(), 2u);
  EXPECT_EQ(std::get<Fact>(read[0]).value, "acme");
  EXPECT_EQ(std::get<GoOn>(read[1]).next, 7u);
}

}  // namespace
}  // namespace tenon::check::test
