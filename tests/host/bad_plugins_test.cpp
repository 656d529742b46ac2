// Every way in which a plugin can be bad is a reason code and words, never the end of this process.
#include <gtest/gtest.h>

#include <cstdlib>

#include "tenon/device.h"
#include "tenon/loaded_plugin.h"
#include "tenon/probe.h"
#include "unit/host/temp_folder.h"

namespace tenon {
namespace {

using test::TempFolder;
using test::Variable;

const std::filesystem::path built = TENON_TEST_BUILD_DIR "/test-plugins";
const std::filesystem::path sources = TENON_TEST_SOURCE_DIR;

std::filesystem::path library_of(const std::string& name) { return built / name / ("tenon_" + name + ".so"); }

class BadPlugins : public testing::Test {
 protected:
  Candidate find(const std::string& name) { return find_at(built / name / (name + ".tenon.json"), name); }

  Candidate find_at(const std::filesystem::path& file, const std::string& kind) {
    const auto catalogue = Catalogue::scan({.named = {file}});
    EXPECT_TRUE(catalogue) << catalogue.error().text;
    const auto found = find_plugin({"", kind, 0}, *catalogue);
    if (found) return *found;
    Candidate candidate = catalogue->candidates().front();
    EXPECT_EQ(candidate.error->text, found.error().text);
    return candidate;
  }

  Error load_error(const Candidate& candidate) {
    const auto loaded = LoadedPlugin::load(candidate, {});
    EXPECT_FALSE(loaded) << candidate.file;
    return loaded ? Error{} : loaded.error();
  }

  result<std::shared_ptr<Device>> open(const std::string& name, std::uint32_t ordinal = 0) {
    auto plugin = LoadedPlugin::load(find(name), {});
    EXPECT_TRUE(plugin) << plugin.error().text;
    return Device::open(*std::move(plugin), name, ordinal);
  }

  void expect_refused(const std::string& name, Reason reason, const std::vector<std::string>& words) {
    const Error error = load_error(find(name));
    EXPECT_EQ(info(error.reason).name, info(reason).name) << error.text;
    EXPECT_NE(error.text.find(library_of(name).string()), std::string::npos) << error.text;
    for (const std::string& part : words) EXPECT_NE(to_string(error).find(part), std::string::npos) << to_string(error);
  }

  TempFolder root;
  Variable cache{"XDG_CACHE_HOME", root.path().string()};
};

TEST_F(BadPlugins, OneThatRefusesToInitialiseCanBeInspected) {
  expect_refused("refuses", Reason::INITIALIZE_FAILED, {"the licence has run out"});
  const auto inspected = LoadedPlugin::inspect(find("refuses"));
  ASSERT_TRUE(inspected) << inspected.error().text;
  EXPECT_FALSE((*inspected)->initialised());
  EXPECT_EQ((*inspected)->id(), "refuses");
}

TEST_F(BadPlugins, InspectionIsNotMistakenForLoading) {
  const auto inspected = LoadedPlugin::inspect(find("flawless"));
  ASSERT_TRUE(inspected) << inspected.error().text;
  const auto loaded = LoadedPlugin::load(find("flawless"), {});
  ASSERT_TRUE(loaded) << loaded.error().text;
  EXPECT_NE(*loaded, *inspected);
  EXPECT_TRUE((*loaded)->initialised());
}

TEST_F(BadPlugins, WhatCrashesInTheHelperIsNotInspected) {
  const auto inspected = LoadedPlugin::inspect(find("crashes"));
  ASSERT_FALSE(inspected);
  EXPECT_EQ(inspected.error().reason, Reason::PROBE_CRASHED);
}

TEST_F(BadPlugins, FlawlessOneLoadsOnce) {
  const auto first = LoadedPlugin::load(find("flawless"), {}), second = LoadedPlugin::load(find("flawless"), {});
  ASSERT_TRUE(first) << first.error().text;
  EXPECT_EQ(*first, *second);
  std::filesystem::create_symlink(built / "flawless", root / "link");
  EXPECT_EQ(*LoadedPlugin::load(find_at(root / "link/flawless.tenon.json", "flawless"), {}), *first);
  const auto devices = enumerate_devices(**first);
  ASSERT_TRUE(devices);
  ASSERT_EQ(devices->size(), 1u);
  EXPECT_EQ(devices->front().kind, "flawless");
}

TEST_F(BadPlugins, RepliesThatDoNotFitAreRefused) {
  expect_refused("wrong_magic", Reason::BAD_TABLE, {"wrong magic number: found 12345678"});
  expect_refused("other_header", Reason::FINGERPRINT_MISMATCH, {"another header of ABI 1.1", "rebuild the plugin"});
  expect_refused("other_sanitizer", Reason::SANITIZER_MISMATCH, {"found memory, expected "});
  expect_refused("version_zero", Reason::BAD_TABLE, {"names no ABI version"});
}

TEST_F(BadPlugins, TablesThatDoNotFitNameVersionsAndTheSideToUpdate) {
  const std::vector<std::string> both_sides{"it offers ABI 1.1, this Tenon ", " accepts ABI 1.0 to 1.1",
                                            "next: update the plugin"};
  const auto with = [&](std::vector<std::string> words) {
    words.insert(words.end(), both_sides.begin(), both_sides.end());
    return words;
  };
  expect_refused("null_table", Reason::BAD_TABLE, with({"its entry point returned no table"}));
  expect_refused("size_zero", Reason::BAD_TABLE, with({"its tenon_plugin is too small: found 0 bytes"}));
  expect_refused("small_devices", Reason::BAD_TABLE, with({"its tenon_devices is too small"}));
  expect_refused("empty_slot", Reason::BAD_TABLE, with({"the mandatory slot 'copy_in'"}));
}

TEST_F(BadPlugins, NewerVersionAsksForANewerTenon) {
  expect_refused("newer_abi", Reason::ABI_MISMATCH,
                 {"it offers ABI 2.0, this Tenon ", " accepts ABI 1.0 to 1.1", "next: update Tenon"});
}

TEST_F(BadPlugins, TablesOfNeighbouringMinorVersionsLoad) {
  for (const std::string name : {"short_table", "long_table"}) {
    const auto loaded = LoadedPlugin::load(find(name), {});
    ASSERT_TRUE(loaded) << loaded.error().text;
    EXPECT_EQ((*loaded)->devices().submit(nullptr, nullptr, 0), TENON_UNIMPLEMENTED);
    EXPECT_EQ((*loaded)->devices().graph_begin(nullptr), TENON_UNIMPLEMENTED);
    EXPECT_EQ((*loaded)->devices().size, sizeof(tenon_devices));
  }
}

TEST_F(BadPlugins, LoadFailuresNameTheirCause) {
  expect_refused("no_entry_point", Reason::NO_ENTRY_POINT, {"does not export tenon_plugin_query"});
  expect_refused("missing_dependency", Reason::MISSING_DEPENDENCY, {"a dependency is missing: libvendor_dep.so.9"});
  expect_refused("undefined_symbol", Reason::UNDEFINED_SYMBOL, {"function_that_nobody_defines"});
  expect_refused("throws", Reason::EXCEPTION_ESCAPED, {"escaped from tenon_plugin_query: thrown by a test"});
  expect_refused("refuses", Reason::INITIALIZE_FAILED, {"the licence has run out"});
}

TEST_F(BadPlugins, IdentityIsWhatTheManifestSays) {
  const Error error = load_error(find("other_identity"));
  EXPECT_EQ(error.reason, Reason::MANIFEST_STALE);
  EXPECT_NE(error.text.find("describes faulty/other_identity 1.0, but "), std::string::npos) << error.text;
  EXPECT_NE(error.text.find("is faulty/other_identity 2.0"), std::string::npos) << error.text;
}

TEST_F(BadPlugins, ACrashIsAReason) {
  const Error error = load_error(find("crashes"));
  EXPECT_EQ(error.reason, Reason::PROBE_CRASHED);
  EXPECT_NE(error.text.find("signal SIGSEGV"), std::string::npos) << error.text;
}

TEST_F(BadPlugins, AHangIsAReason) {
  const Variable limit("TENON_PROBE_TIMEOUT_MS", "300");
  expect_refused("hangs", Reason::PROBE_TIMED_OUT, {"did not answer within 300 ms"});
}

TEST_F(BadPlugins, CrashesAndHangsAreRememberedUntilRenewed) {
  const Candidate candidate = find("hangs");
  EXPECT_FALSE(cached_probe(candidate));
  {
    const Variable limit("TENON_PROBE_TIMEOUT_MS", "200");
    ASSERT_EQ(probe(candidate, false)->error->reason, Reason::PROBE_TIMED_OUT);
  }
  EXPECT_EQ(cached_probe(candidate)->error->reason, Reason::PROBE_TIMED_OUT);
  // With the usual limit of ten seconds this test would take as long if it ran the plugin again.
  const Error remembered = *probe(candidate, false)->error;
  EXPECT_NE(remembered.text.find("within 200 ms"), std::string::npos);
  EXPECT_EQ(remembered.hint, "report this to its vendor; to try the plugin again, run `tenon devices`");
  EXPECT_EQ(cached_probe(candidate)->error->hint, remembered.hint);
  const Variable limit("TENON_PROBE_TIMEOUT_MS", "201");
  const Error renewed = *probe(candidate, true)->error;
  EXPECT_NE(renewed.text.find("within 201 ms"), std::string::npos);
  EXPECT_EQ(renewed.hint, "");
}

TEST_F(BadPlugins, AFaultThatCanBeMendedIsLookedAtAnew) {
  const Candidate candidate = find("missing_dependency");
  ASSERT_EQ(probe(candidate, false)->error->reason, Reason::MISSING_DEPENDENCY);
  EXPECT_TRUE(cached_probe(candidate)->error);
  const Variable now_installed("LD_LIBRARY_PATH", (built / "not-installed").string());
  EXPECT_FALSE(probe(candidate, false)->error);
}

TEST_F(BadPlugins, WhatIsPrintedDuringAProbeIsAWarning) {
  testing::internal::CaptureStdout();
  const auto report = probe(find("prints"), true);
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "");
  ASSERT_TRUE(report && report->warning);
  EXPECT_FALSE(report->error);
  EXPECT_EQ(report->warning->reason, Reason::PRINTED_ON_PROBE);
  EXPECT_NE(report->warning->text.find("'Thank you for choosing Faulty!'"), std::string::npos);
  EXPECT_EQ(cached_probe(find("prints"))->warning->text, report->warning->text);
}

TEST_F(BadPlugins, WhatIsPrintedInThisProcessGoesToStandardErrorAndIsToldOncePerLoad) {
  const Candidate candidate = find("prints");
  testing::internal::CaptureStdout();
  testing::internal::CaptureStderr();
  std::printf("a result, ");
  const auto loaded = LoadedPlugin::load(candidate, {}), again = LoadedPlugin::load(candidate, {});
  const bool enumerated = loaded && enumerate_devices(**loaded);
  std::printf("whole");
  const std::string said = testing::internal::GetCapturedStderr();
  EXPECT_EQ(testing::internal::GetCapturedStdout(), "a result, whole");
  EXPECT_TRUE(again && enumerated);
  EXPECT_NE(said.find("Thank you for choosing Faulty!\n"), said.npos) << said;
  EXPECT_NE(said.find("Faulty looks for devices.\n"), said.npos) << said;
  const std::string warning = "warning: [plugin] " + library_of("prints").string() + ": it wrote to standard output";
  EXPECT_NE(said.find(warning), said.npos) << said;
  EXPECT_EQ(said.find(warning), said.rfind(warning)) << said;
}

TEST_F(BadPlugins, ATimeLimitThatIsNoneIsIgnoredWithOneWarning) {
  const Candidate candidate = find("flawless");
  for (const std::string wanted : {"-1", "0", "3600001", "99999999999999999999", "1.5", "soon"}) {
    const Variable limit("TENON_PROBE_TIMEOUT_MS", wanted);
    const auto probe_twice = [&] { std::_Exit(probe(candidate, true) && probe(candidate, true) ? 0 : 1); };
    EXPECT_EXIT(probe_twice(), testing::ExitedWithCode(0),
                "^warning: .probe. TENON_PROBE_TIMEOUT_MS is '" + wanted +
                    "', expected milliseconds from 1 to 3600000: 10000 is taken\n$");
  }
}

TEST_F(BadPlugins, AbsentHardwareSpeaksInTheDevicesOwnWords) {
  const auto report = probe(find("no_hardware"), false);
  ASSERT_TRUE(report && !report->error);
  ASSERT_EQ(report->devices.size(), 1u);
  EXPECT_EQ(report->devices[0].usable, TENON_REASON_NO_DEVICE);
  EXPECT_EQ(report->devices[0].why_unusable, "driver present, 0 devices");
}

TEST_F(BadPlugins, AnUnknownOptionIsThePluginsError) {
  const std::vector<PluginOption> options{{"other", "a", "b"}, {"no_option", "colour", "blue"}};
  const auto refused = LoadedPlugin::load(find("no_option"), options);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().reason, Reason::OPTION_UNKNOWN);
  EXPECT_NE(refused.error().text.find("colour"), std::string::npos);
  EXPECT_TRUE(LoadedPlugin::load(find("no_option"), std::span(options).first(1)));
}

TEST_F(BadPlugins, BrokenCapsulesAreLeftOutWithReasonsAndTrustIsCapped) {
  const auto loaded = LoadedPlugin::load(find("broken_capsules"), {});
  ASSERT_TRUE(loaded) << loaded.error().text;
  ASSERT_EQ((*loaded)->capsules().size(), 1u);
  EXPECT_STREQ((*loaded)->capsules()[0]->name, "faulty.good");
  EXPECT_EQ((*loaded)->capsules()[0]->trust, static_cast<std::uint32_t>(TENON_TRUST_EXTERNAL));
  std::string all;
  for (const RejectedCapsule& rejected : (*loaded)->rejected_capsules()) all += rejected.error.text + "\n";
  EXPECT_NE(all.find("capsule faulty.good is left out: an earlier capsule of the plugin has its name"),
            std::string::npos)
      << all;
  EXPECT_NE(all.find("capsule number 2 is left out: it has no name"), std::string::npos) << all;
  EXPECT_NE(all.find("capsule number 3 is left out: a null pointer"), std::string::npos) << all;
  EXPECT_NE(all.find("capsule faulty.no_launch is left out: its field 'launch'"), std::string::npos) << all;
  EXPECT_NE(all.find("capsule number 5 is left out: its size is too small"), std::string::npos) << all;
}

TEST_F(BadPlugins, ACopyHasEndedWhenItsErrorIsReported) {
  const auto device = open("late_errors");
  ASSERT_TRUE(device) << device.error().text;
  const auto kept = Buffer::allocate(*device, 4);
  ASSERT_TRUE(kept && Buffer::allocate(*device, 4));  // the second one's end meets the error that is reported later
  const auto bytes = [](auto& text) { return std::as_writable_bytes(std::span(text)); };
  std::string sent = "sent", back = "....";
  const auto written = (*device)->write(kept->ref(), bytes(sent));
  ASSERT_FALSE(written);
  EXPECT_NE(written.error().text.find("an earlier kernel failed"), std::string::npos) << written.error().text;
  sent = "gone";  // the caller's own again
  ASSERT_TRUE((*device)->read(bytes(back), kept->ref()));
  EXPECT_EQ(back, "sent");
  EXPECT_TRUE((*device)->synchronize());
}

TEST_F(BadPlugins, MemoryIsAlignedAsSignaturesPromise) {
  const auto device = open("small_pool");
  ASSERT_TRUE(device) << device.error().text;
  const auto buffer = Buffer::allocate(*device, 64);
  EXPECT_TRUE(buffer) << buffer.error().text;
}

TEST_F(BadPlugins, MemoryThatRunsOutIsToldInThePluginsWordsAndOnce) {
  const auto device = open("small_pool");
  ASSERT_TRUE(device) << device.error().text;
  const auto none = Buffer::allocate(*device, 2048);
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, Reason::OUT_OF_MEMORY);
  EXPECT_EQ(none.error().text,
            "[faulty/small_pool:0] out of memory: 2048 bytes were asked for, how much is free is not known: the pool "
            "is in fragments");
  EXPECT_EQ(take_plugin_error(), "");
  EXPECT_TRUE(Buffer::allocate(*device, 64));  // after a trim
  EXPECT_EQ(take_plugin_error(), "");
}

TEST_F(BadPlugins, ExceptionsOfADeviceAreErrors) {
  const auto closed = open("throws_later", 0), without_stream = open("throws_later", 1);
  ASSERT_FALSE(closed);
  EXPECT_EQ(closed.error().reason, Reason::EXCEPTION_ESCAPED);
  EXPECT_EQ(closed.error().text,
            "[plugin] " + library_of("throws_later").string() + ": an exception escaped from open: no door");
  ASSERT_FALSE(without_stream);
  EXPECT_NE(without_stream.error().text.find("escaped from stream_create: of a type"), std::string::npos)
      << without_stream.error().text;
}

TEST_F(BadPlugins, AnExceptionAtTheEndIsAWarning) {
  ASSERT_TRUE(LoadedPlugin::load(find("throws_later"), {}));
  const auto end = [] {
    shutdown_plugins();
    std::exit(0);
  };
  EXPECT_EXIT(end(), testing::ExitedWithCode(0), "an exception escaped from shutdown: no end");
}

TEST_F(BadPlugins, DamagedAndForeignFilesAreNeverLoaded) {
  std::filesystem::copy(built / "flawless", root / "copy", std::filesystem::copy_options::recursive);
  const auto manifest = root / "copy/flawless.tenon.json", library = root / "copy/tenon_flawless.so";
  std::filesystem::resize_file(library, std::filesystem::file_size(library) / 2);
  const Error damaged = load_error(find_at(manifest, "flawless"));
  EXPECT_EQ(damaged.reason, Reason::DAMAGED_FILE);
  EXPECT_NE(damaged.text.find(library.string() + ": the file is damaged"), std::string::npos) << damaged.text;
}

TEST_F(BadPlugins, AFileThatWasDamagedAfterTheSearchIsNotLoadedEither) {
  std::filesystem::copy(built / "flawless", root / "copy", std::filesystem::copy_options::recursive);
  const Candidate candidate = find_at(root / "copy/flawless.tenon.json", "flawless");
  ASSERT_FALSE(candidate.error);
  std::filesystem::resize_file(root / "copy/tenon_flawless.so", 8000);
  EXPECT_EQ(load_error(candidate).reason, Reason::DAMAGED_FILE);
}

TEST_F(BadPlugins, ALibraryNamedWithoutManifestIsAskedWhoItIs) {
  std::filesystem::copy_file(library_of("flawless"), root / "bare.so");
  const Candidate candidate = find_at(root / "bare.so", "flawless");
  ASSERT_FALSE(candidate.error) << candidate.error->text;
  EXPECT_EQ(candidate.manifest.vendor, "faulty");
  EXPECT_FALSE(candidate.own);
  std::filesystem::copy_file(library_of("crashes"), root / "crashes.so");
  EXPECT_EQ(load_error(find_at(root / "crashes.so", "crashes")).reason, Reason::PROBE_CRASHED);
  const auto catalogue = Catalogue::scan({.named = {root / "bare.so", root / "crashes.so"}});
  ASSERT_TRUE(catalogue) << catalogue.error().text;
  const auto required = require_named(*catalogue);
  ASSERT_FALSE(required);
  EXPECT_EQ(required.error().reason, Reason::PROBE_CRASHED);
}

TEST_F(BadPlugins, TheSdkRefusesALibraryThatExportsMore) {
  const auto check = [&](const std::filesystem::path& library) {
    const std::string command = TENON_TEST_CMAKE " -DNM=" TENON_TEST_NM " -DLIBRARY='" + library.string() + "' -P '" +
                                (sources / "sdk/cmake/check_exports.cmake").string() + "' >'" +
                                (root / "words").string() + "' 2>&1";
    const int status = std::system(command.c_str());
    std::ifstream stream(root / "words");
    return std::pair(status == 0, std::string{std::istreambuf_iterator<char>(stream), {}});
  };
  const auto [accepted, words] = check(library_of("exports_more"));
  EXPECT_FALSE(accepted);
  EXPECT_NE(words.find("vendor_helper"), std::string::npos) << words;
  EXPECT_TRUE(check(TENON_TEST_BUILD_DIR "/lib/tenon-plugins/tenon_cpu.so").first);
}

TEST_F(BadPlugins, TheSdkWritesNoManifestThatTenonRefuses) {
  const auto write = [&](const std::string& devices) {
    const std::string command = "'" TENON_TEST_BUILD_DIR "/bin/tenon-manifest' '" + library_of("flawless").string() +
                                "' '" + (root / "x.tenon.json").string() + "' " + devices + " 2>'" +
                                (root / "words").string() + "'";
    const bool written = std::system(command.c_str()) == 0;
    std::ifstream stream(root / "words");
    return written ? "" : std::string{std::istreambuf_iterator<char>(stream), {}};
  };
  EXPECT_EQ(write("x:other y.2:gpu"), "");
  EXPECT_EQ(write("Npu:other"), "tenon-manifest: the kind is 'Npu', expected small letters, digits, _ . and -\n");
  EXPECT_EQ(write("auto:other"), "tenon-manifest: the kind is 'auto', which stands for the choice of a device\n");
  EXPECT_EQ(write("x:other x:gpu"), "tenon-manifest: the kind 'x' is named twice\n");
}

#if defined(__x86_64__)
TEST_F(BadPlugins, ALibraryBuiltWithFastMathDoesNotChangeThisThreadsArithmetic) {
  testing::internal::CaptureStderr();
  ASSERT_TRUE(LoadedPlugin::load(find("fast_math"), {}));
  const std::string said = testing::internal::GetCapturedStderr();
  volatile float smallest = 1.17549435e-38f;
  EXPECT_GT(smallest / 2, 0.0f);
  EXPECT_NE(said.find(library_of("fast_math").string() + ": loading it changed the floating-point environment"),
            std::string::npos)
      << said;
}
#endif

}  // namespace
}  // namespace tenon
