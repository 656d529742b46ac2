#include <gtest/gtest.h>

#include <algorithm>

#include "temp_folder.h"
#include "tenon/catalogue.h"
#include "tenon/text.h"

namespace tenon {
namespace {

using test::install;
using test::manifest_text;
using test::TempFolder;
using test::Variable;

/// A catalogue over two folders of a test's own: TENON_PLUGIN_PATH and the user's. The plugins that were built are in
/// it as well; what is tested of a kind is tested of tpu, of which there is none.
class DeviceName : public testing::Test {
 protected:
  Catalogue scan() {
    std::filesystem::create_directories(root / "given");
    const Variable path("TENON_PLUGIN_PATH", (root / "given").string());
    const Variable data("XDG_DATA_HOME", (root / "data").string());
    const Variable cache("XDG_CACHE_HOME", (root / "cache").string());
    auto scanned = Catalogue::scan({});
    EXPECT_TRUE(scanned) << scanned.error().text;
    return *std::move(scanned);
  }

  Error usage(const std::string& word) {
    const auto parsed = parse_device(word, scan());
    EXPECT_FALSE(parsed) << word;
    if (parsed) return {};
    EXPECT_EQ(parsed.error().reason, Reason::USAGE) << word;
    return parsed.error();
  }

  TempFolder root;
};

bool holds(const std::string& text, const std::string& part) { return text.find(part) != text.npos; }

TEST_F(DeviceName, ParsesKindOrdinalAndVendor) {
  const Catalogue catalogue = scan();
  EXPECT_EQ(*parse_device("cuda", catalogue), (tenon::DeviceName{"", "cuda", 0}));
  EXPECT_EQ(*parse_device("cuda:1", catalogue), (tenon::DeviceName{"", "cuda", 1}));
  EXPECT_EQ(*parse_device("acme/cuda:4294967295", catalogue), (tenon::DeviceName{"acme", "cuda", 4294967295u}));
  EXPECT_EQ(to_string(*parse_device("acme/cuda", catalogue)), "acme/cuda:0");
}

TEST_F(DeviceName, SuggestsTheNearestAndListsAll) {
  const Error error = usage("cudaa");
  EXPECT_EQ(error.hint, "did you mean --device cuda?");
  EXPECT_TRUE(error.text.starts_with("[device] cudaa: no such device name\n  valid names: auto, cpu, cuda, rocm"))
      << error.text;
}

TEST_F(DeviceName, KnowsWhatAnInstalledManifestBrings) {
  EXPECT_TRUE(holds(usage("vendr").text, "valid names: auto, cpu"));
  install(root, "given", "vendor", manifest_text("vendor", "acme", "npu"));
  EXPECT_EQ(usage("vendr").hint, "did you mean --device vendor?");
  const Catalogue catalogue = scan();
  EXPECT_EQ(parse_device("vendor", catalogue)->kind, "vendor");
  EXPECT_EQ(device_class({"", "vendor", 0}, catalogue), "npu");
  EXPECT_EQ(device_class({"", "cuda", 0}, catalogue), "gpu");
}

TEST_F(DeviceName, RefusesMalformedWords) {
  EXPECT_TRUE(holds(usage("cuda:x").text, "the ordinal after ':' is 'x', expected a whole number"));
  EXPECT_TRUE(holds(usage("cuda:").text, "the ordinal after ':' is missing"));
  EXPECT_TRUE(holds(usage("cuda:-1").text, "'-1'"));
  EXPECT_TRUE(holds(usage("cuda:4294967296").text, "'4294967296'"));
  EXPECT_TRUE(holds(usage("cuda:0:1").text, "'0:1'"));
  EXPECT_TRUE(holds(usage("/cuda").text, "the vendor before '/' is missing"));
  EXPECT_TRUE(holds(usage("").text, "'': no such device name"));
  EXPECT_TRUE(holds(usage("cpu,vendor").text, "no such device name"));
  EXPECT_TRUE(holds(usage("CPU").text, "no such device name"));
  EXPECT_TRUE(holds(usage("auto:1").text, "auto chooses a device"));
}

TEST_F(DeviceName, SaysWhereItLookedForAPluginAndWhatIsThere) {
  install(root, "given", "vendor", manifest_text("vendor", "acme"));
  const auto found = find_plugin({"", "tpu", 0}, scan());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().reason, Reason::NO_PLUGIN);
  const std::string& text = found.error().text;
  EXPECT_TRUE(text.starts_with("[device] tpu: no plugin for it is installed\n  searched: " + (root / "given").string() +
                               ": vendor\n            " + (root / "data").string() +
                               "/tenon/plugins: does not exist\n"))
      << text;
  EXPECT_TRUE(holds(text, "/usr/lib/tenon/plugins")) << text;
  EXPECT_TRUE(holds(text, "\n  usable devices: ")) << text;
  EXPECT_TRUE(found.error().hint.starts_with(
      "install a plugin for tpu in one of these folders, or use --plugin FILE or --device "))
      << found.error().hint;
  EXPECT_LT(found.error().hint.size(), 100u);
}

TEST_F(DeviceName, TakesThisProjectsPluginUnlessAVendorIsNamed) {
  install(root, "given", "acme-tpu",
          test::replaced(manifest_text("acme-tpu", "acme"), "\"kind\": \"acme-tpu\"", "\"kind\": \"tpu\""));
  EXPECT_EQ(find_plugin({"", "tpu", 0}, scan())->manifest.vendor, "acme");
  install(root, "given", "tpu", manifest_text("tpu"));
  EXPECT_EQ(find_plugin({"", "tpu", 0}, scan())->manifest.vendor, "tenon");
  EXPECT_EQ(find_plugin({"acme", "tpu", 0}, scan())->manifest.id, "acme-tpu");
  EXPECT_EQ(find_plugin({"other", "tpu", 0}, scan()).error().reason, Reason::NO_PLUGIN);
}

TEST_F(DeviceName, NeverTakesAThirdPartysPluginWhereThisProjectsIsBroken) {
  install(root, "given", "acme-cuda",
          test::replaced(manifest_text("acme-cuda", "acme"), "\"kind\": \"acme-cuda\"", "\"kind\": \"cuda\""));
  install(root, "given", "cuda", manifest_text("cuda"));
  std::filesystem::resize_file(root / "given/cuda.so", 5000);
  EXPECT_EQ(find_plugin({"", "cuda", 0}, scan()).error().reason, Reason::DAMAGED_FILE);
}

TEST_F(DeviceName, AsksForTheVendorWhereSeveralBringTheKind) {
  for (const std::string id : {"one", "two"})
    install(root, "given", id,
            test::replaced(manifest_text(id, "vendor-" + id), "\"kind\": \"" + id, "\"kind\": \"same"));
  const auto found = find_plugin({"", "same", 0}, scan());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().reason, Reason::AMBIGUOUS_DEVICE);
  EXPECT_TRUE(holds(found.error().text, "vendor-one/same")) << found.error().text;
  EXPECT_EQ(found.error().hint, "write --device vendor-one/same");
  const std::vector<std::string> usable = usable_devices(scan());
  EXPECT_NE(std::ranges::find(usable, "vendor-two/same"), usable.end());
}

TEST_F(DeviceName, SaysWhatToRemoveWhereOneVendorBringsTheKindTwice) {
  for (const std::string id : {"one", "two"})
    install(root, "given", id, test::replaced(manifest_text(id, "acme"), "\"kind\": \"" + id, "\"kind\": \"npu"));
  for (const std::string vendor : {"", "acme"}) {
    const auto found = find_plugin({vendor, "npu", 0}, scan());
    ASSERT_FALSE(found);
    EXPECT_EQ(found.error().reason, Reason::AMBIGUOUS_DEVICE);
    EXPECT_EQ(found.error().text,
              "[device] " + (vendor.empty() ? "" : vendor + "/") + "npu: several plugins bring it:\n  acme/npu  one  " +
                  (root / "given/one.so").string() + "\n  acme/npu  two  " + (root / "given/two.so").string());
    EXPECT_EQ(found.error().hint, "remove " + (root / "given/two.tenon.json").string() + " to use the plugin one");
  }
}

TEST_F(DeviceName, LeavesOutWhatIsNamedTwice) {
  std::vector<std::filesystem::path> named;
  for (const std::string id : {"one", "two"})
    named.push_back(
        install(root, "given", id, test::replaced(manifest_text(id, "acme"), "\"kind\": \"" + id, "\"kind\": \"npu")));
  const auto found = find_plugin({"", "npu", 0}, *Catalogue::scan({.named = named}));
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().hint, "leave out --plugin " + named[1].string() + " to use the plugin one");
}

TEST_F(DeviceName, NamesAVendorThatBringsTheKindOnce) {
  for (const std::string id : {"one", "two", "three"})
    install(root, "given", id,
            test::replaced(manifest_text(id, id == "two" ? "other" : "acme"), "\"kind\": \"" + id, "\"kind\": \"npu"));
  EXPECT_EQ(find_plugin({"", "npu", 0}, scan()).error().hint, "write --device other/npu");
}

TEST_F(DeviceName, LeadsBackToThePlugin) {
  const auto word = [&](const std::string& id) {
    const Catalogue catalogue = scan();
    const auto& all = catalogue.candidates();
    return device_word(*std::ranges::find(all, id, [](const Candidate& c) { return c.manifest.id; }), "tpu", catalogue);
  };
  const auto bring_tpu = [&](const std::string& id, const std::string& vendor) {
    install(root, "given", id, test::replaced(manifest_text(id, vendor), "\"kind\": \"" + id, "\"kind\": \"tpu"));
  };
  bring_tpu("one", "acme");
  EXPECT_EQ(word("one"), "tpu");
  std::filesystem::resize_file(root / "given/one.so", 5000);
  EXPECT_EQ(word("one"), "tpu");  // leads to its fault
  bring_tpu("two", "other");
  EXPECT_EQ(word("one"), "acme/tpu");
  EXPECT_EQ(word("two"), "tpu");
  bring_tpu("ours", "tenon");
  EXPECT_EQ(word("ours"), "tpu");
  EXPECT_EQ(word("two"), "other/tpu");
}

TEST_F(DeviceName, ListsTheFirstOfTwoAndTheOtherAsShadowed) {
  install(root, "data/tenon/plugins", "vendor", manifest_text("vendor", "acme"));
  install(root, "given", "vendor", manifest_text("vendor", "acme"));
  const Catalogue catalogue = scan();
  EXPECT_EQ(find_plugin({"", "vendor", 0}, catalogue)->file, root / "given/vendor.tenon.json");
  const auto& later = *std::ranges::find(catalogue.candidates(), Origin::user, &Candidate::origin);
  ASSERT_TRUE(later.error);
  EXPECT_EQ(later.error->reason, Reason::SHADOWED);
  EXPECT_TRUE(holds(later.error->text, (root / "given/vendor.tenon.json").string())) << later.error->text;
}

TEST_F(DeviceName, ShadowsOnlyAPluginOfTheSameVendor) {
  install(root, "given", "cpu", manifest_text("cpu", "acme"));
  install(root, "data/tenon/plugins", "cpu", manifest_text("cpu", "tenon"));
  const auto found = find_plugin({"", "cpu", 0}, scan());
  ASSERT_TRUE(found) << found.error().text;
  EXPECT_EQ(found->file, root / "data/tenon/plugins/cpu.tenon.json");
  EXPECT_EQ(find_plugin({"acme", "cpu", 0}, scan())->file, root / "given/cpu.tenon.json");
}

TEST_F(DeviceName, NamesTheShadowedFileWhereNoOtherBringsTheKind) {
  install(root, "given", "vendor", manifest_text("vendor", "acme"));
  const auto shadowed =
      install(root, "data/tenon/plugins", "vendor",
              test::replaced(manifest_text("vendor", "acme"), "\"kind\": \"vendor\"", "\"kind\": \"late\""));
  const auto found = find_plugin({"", "late", 0}, scan());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().reason, Reason::SHADOWED);
  EXPECT_EQ(found.error().text, "[plugin] " + shadowed.string() + ": the plugin 'acme/vendor' of " +
                                    (root / "given/vendor.tenon.json").string() + " comes first");
  EXPECT_EQ(found.error().hint, "remove " + (root / "given/vendor.tenon.json").string() + " to use this one");
}

TEST_F(DeviceName, ListsManifestsThatCouldNotBeRead) {
  std::string expected, label = "\n  not read: ";
  const auto broken = [&](const std::string& name, const std::string& text, const std::string& why) {
    expected += label + root.write("given/" + name + ".tenon.json", text).string() + ": " + why;
    label = "\n            ";
  };
  broken("late", "{", "it is not JSON");
  broken("missing", test::replaced(manifest_text("missing"), "\"version\"", "\"v\""), "field 'version' is missing");
  broken("schema", test::replaced(manifest_text("schema"), "\"schema\": 1", "\"schema\": 2"),
         "field 'schema' is 2, this Tenon reads 1");
  std::filesystem::create_directory(root / "given/zfolder.tenon.json");
  expected += "\n            " + (root / "given/zfolder.tenon.json").string() + ": the file cannot be read";
  EXPECT_TRUE(usage("late").text.ends_with(expected)) << usage("late").text;
  const auto none = find_plugin({"", "tpu", 0}, scan());
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().reason, Reason::NO_PLUGIN);
  EXPECT_TRUE(holds(none.error().text, expected)) << none.error().text;
}

TEST_F(DeviceName, NoticesAnotherArchitectureThanTheLibrarys) {
  const auto file =
      install(root, "given", "vendor",
              test::replaced(manifest_text("vendor"), R"("architecture": "x86_64")", R"("architecture": "s390x")"));
  const auto found = find_plugin({"", "vendor", 0}, scan());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().reason, Reason::MANIFEST_STALE);
  EXPECT_TRUE(found.error().text.starts_with("[plugin] " + file.string() + ": describes a library for s390x, but "))
      << found.error().text;
}

TEST_F(DeviceName, ShowsWhyTheOnlyPluginIsUnusable) {
  install(root, "given", "vendor",
          test::replaced(manifest_text("vendor", "acme"), R"("min": "1.0", "max": "1.0")",
                         R"("min": "2.0", "max": "2.2")"));
  const auto found = find_plugin({"", "vendor", 0}, scan());
  ASSERT_FALSE(found);
  EXPECT_EQ(found.error().reason, Reason::ABI_MISMATCH);
  EXPECT_TRUE(holds(found.error().text, (root / "given/vendor.so").string())) << found.error().text;
  EXPECT_TRUE(holds(found.error().text, "it offers ABI 2.0 to 2.2, this Tenon")) << found.error().text;
  EXPECT_TRUE(holds(found.error().hint, "update Tenon")) << found.error().hint;
}

TEST_F(DeviceName, RefusesFilesThatOthersMayWrite) {
  install(root, "given", "vendor", manifest_text("vendor", "acme"));
  std::filesystem::permissions(root / "given/vendor.so", std::filesystem::perms::others_write,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(find_plugin({"", "vendor", 0}, scan()).error().reason, Reason::UNTRUSTED_PATH);
  std::filesystem::permissions(root / "given/vendor.so", std::filesystem::perms::others_write,
                               std::filesystem::perm_options::remove);
  std::filesystem::permissions(root / "given",
                               std::filesystem::perms::others_write | std::filesystem::perms::sticky_bit,
                               std::filesystem::perm_options::add);
  EXPECT_EQ(find_plugin({"", "vendor", 0}, scan()).error().reason, Reason::UNTRUSTED_PATH);
}

TEST_F(DeviceName, RefusesFoldersAboveThatOthersMayWrite) {
  using std::filesystem::perms;
  const std::string text = manifest_text("vendor", "acme");
  install(root, "given/sub", "vendor", text);
  std::filesystem::permissions(root / "given", perms::all);
  const auto scan_named = [&] {
    return Catalogue::scan({.named = {root / "given/sub/vendor.tenon.json"}})->candidates().front();
  };
  const Candidate open = scan_named();
  ASSERT_TRUE(open.error);
  EXPECT_EQ(open.error->reason, Reason::UNTRUSTED_PATH);
  EXPECT_TRUE(holds(open.error->text, (root / "given").string() + ", which it lies below")) << open.error->text;
  EXPECT_EQ(open.error->hint, "chmod go-w " + (root / "given").string());
  std::filesystem::permissions(root / "given", perms::all | perms::sticky_bit);
  EXPECT_FALSE(scan_named().error);
}

TEST_F(DeviceName, LooksWhereALinkLeads) {
  using std::filesystem::perms;
  install(root, "given", "vendor", manifest_text("vendor", "acme"));
  std::filesystem::create_directories(root / "far/away");
  std::filesystem::rename(root / "given/vendor.so", root / "far/away/real.so");
  std::filesystem::create_symlink(root / "far/away/real.so", root / "far/link.so");
  std::filesystem::create_symlink("../far/link.so", root / "given/vendor.so");
  EXPECT_TRUE(find_plugin({"", "vendor", 0}, scan()));
  std::filesystem::permissions(root / "far/away", perms::all);
  EXPECT_EQ(find_plugin({"", "vendor", 0}, scan()).error().reason, Reason::UNTRUSTED_PATH);
  std::filesystem::permissions(root / "far/away", perms::owner_all);
  std::filesystem::permissions(root / "far", perms::all);
  EXPECT_EQ(find_plugin({"", "vendor", 0}, scan()).error().reason, Reason::UNTRUSTED_PATH);
}

TEST_F(DeviceName, NeedsEveryPluginThatIsNamed) {
  const auto good = install(root, "a", "good", manifest_text("good", "acme"));
  const auto again = install(root, "b", "good", manifest_text("good", "acme"));
  const auto bad = install(root, "a", "bad", manifest_text("bad", "acme"));
  std::filesystem::resize_file(root / "a/bad.so", 5000);
  EXPECT_TRUE(require_named(scan()));
  const auto shadowed = Catalogue::scan({.named = {good, again}});
  EXPECT_TRUE(shadowed->candidates()[1].shadowed());
  EXPECT_TRUE(require_named(*shadowed));
  const auto required = require_named(*Catalogue::scan({.named = {good, bad}}));
  ASSERT_FALSE(required);
  EXPECT_EQ(required.error().reason, Reason::DAMAGED_FILE);
  const auto broken = require_named(*Catalogue::scan({.named = {root.write("c/x.tenon.json", "{")}}));
  ASSERT_FALSE(broken);
  EXPECT_NE(broken.error().text.find("x.tenon.json"), std::string::npos);
}

TEST_F(DeviceName, ToleratesFaultsThatNobodyNamed) {
  install(root, "given", "bad", manifest_text("bad", "acme"));
  std::filesystem::resize_file(root / "given/bad.so", 5000);
  EXPECT_TRUE(require_named(scan()));
}

TEST_F(DeviceName, NoticesAnotherBuildThanTheManifestDescribes) {
  install(root, "given", "vendor",
          test::replaced(manifest_text("vendor"), R"("build_id": "")", R"("build_id": "abcd")"));
  EXPECT_EQ(find_plugin({"", "vendor", 0}, scan()).error().reason, Reason::MANIFEST_STALE);
  std::filesystem::remove(root / "given/vendor.so");
  EXPECT_EQ(find_plugin({"", "vendor", 0}, scan()).error().reason, Reason::FILE_NOT_FOUND);
}

}  // namespace
}  // namespace tenon
