// Files that were a good plugin before something happened to them: cut off, of another machine, of another time.
#include <elf.h>

#include <cstddef>

#include "plugin_copy.h"

namespace tenon::test {
namespace {

class SpoiltFiles : public PluginCopies {
 protected:
  const std::filesystem::path manifest = copy("flawless", "copy"), library = library_of(manifest);

  void replace_in_manifest(const std::string& from, const std::string& to) const {
    std::ifstream stream(manifest);
    const std::string text{std::istreambuf_iterator<char>(stream), {}}, other = replaced(text, from, to);
    EXPECT_NE(other, text);
    root.write("copy/flawless.tenon.json", other);
  }
};

TEST_F(SpoiltFiles, AreGoodBefore) { EXPECT_TRUE(load(manifest)); }

TEST_F(SpoiltFiles, ALibraryCutAnywhereIsDamagedBeforeTheSearchAndAfter) {
  const Candidate found = candidate(manifest);
  ASSERT_FALSE(found.error);
  const std::uintmax_t whole = std::filesystem::file_size(library), step = whole / 31 + 1;
  for (std::uintmax_t length = whole - 1; length > step; length -= step) {
    SCOPED_TRACE(length);
    std::filesystem::resize_file(library, length);
    for (const Candidate& one : {found, candidate(manifest)})
      expect_refused(one, Reason::DAMAGED_FILE, {library.string() + ": the file is damaged"});
  }
  std::filesystem::resize_file(library, 0);
  expect_refused(candidate(manifest), Reason::NOT_A_LIBRARY, {library.string()});
}

TEST_F(SpoiltFiles, ALibraryOfAnotherArchitectureNamesBoth) {
  std::fstream stream(library, std::ios::binary | std::ios::in | std::ios::out);
  stream.seekp(offsetof(Elf64_Ehdr, e_machine)).put(static_cast<char>(EM_RISCV)).put(0).flush();
  expect_refused(candidate(manifest), Reason::WRONG_ARCHITECTURE,
                 {library.string(), "built for another architecture: found riscv64, expected "});
}

TEST_F(SpoiltFiles, AVersionOutOfRangeInTheManifestSaysWhichSideToUpdate) {
  const std::string range = R"("min": "1.0", "max": "1.0")";
  replace_in_manifest(range, R"("min": "2.0", "max": "2.3")");
  expect_refused(candidate(manifest), Reason::ABI_MISMATCH,
                 {library.string(), "it offers ABI 2.0 to 2.3, this Tenon ", "next: update Tenon"});
  replace_in_manifest(R"("min": "2.0", "max": "2.3")", R"("min": "0.1", "max": "0.2")");
  expect_refused(candidate(manifest), Reason::ABI_MISMATCH,
                 {library.string(), "it offers ABI 0.1 to 0.2, this Tenon ", "next: update the plugin"});
}

}  // namespace
}  // namespace tenon::test
