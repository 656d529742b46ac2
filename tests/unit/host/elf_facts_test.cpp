#include "elf_facts.h"

#include <elf.h>
#include <gtest/gtest.h>

#include "temp_folder.h"

namespace tenon::host {
namespace {

using test::TempFolder;

std::string bytes_of(const std::filesystem::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

Error refusal(const std::filesystem::path& file) {
  const auto read = read_elf(file);
  EXPECT_FALSE(read);
  return read ? Error{} : read.error();
}

TEST(ElfFacts, GivesBuildIdAndNeededLibraries) {
  const auto facts = read_elf(test::some_library());
  ASSERT_TRUE(facts) << facts.error().text;
  EXPECT_EQ(facts->build_id.size(), 40u);
  ASSERT_FALSE(facts->needed.empty());
  EXPECT_NE(facts->needed[0].find("ld-linux"), std::string::npos);
}

TEST(ElfFacts, FindsEveryCutOffFileDamaged) {
  const TempFolder folder;
  const std::string whole = bytes_of(test::some_library());
  const auto file = folder.write("cut.so", whole);
  for (std::size_t length = whole.size() - 1; length > 97; length -= 97) {
    std::filesystem::resize_file(file, length);
    const auto read = read_elf(file);
    ASSERT_FALSE(read) << length;
    ASSERT_EQ(read.error().reason, Reason::DAMAGED_FILE) << length;
  }
  for (const std::size_t length : {64u, 63u, 16u, 4u, 3u}) {
    std::filesystem::resize_file(file, length);
    EXPECT_EQ(refusal(file).reason, Reason::DAMAGED_FILE) << length;
  }
  std::filesystem::resize_file(file, 0);
  EXPECT_EQ(refusal(file).reason, Reason::NOT_A_LIBRARY);
}

TEST(ElfFacts, NamesBothArchitectures) {
  const TempFolder folder;
  std::string bytes = bytes_of(test::some_library());
  bytes[offsetof(Elf64_Ehdr, e_machine)] = static_cast<char>(EM_RISCV);
  const Error error = refusal(folder.write("riscv.so", bytes));
  EXPECT_EQ(error.reason, Reason::WRONG_ARCHITECTURE);
  EXPECT_NE(error.text.find("found riscv64, expected " + std::string(host_architecture())), std::string::npos)
      << error.text;
}

TEST(ElfFacts, RefusesWhatIsNoSharedObject) {
  const TempFolder folder;
  EXPECT_EQ(refusal(folder.write("text.so", "hello, world")).reason, Reason::NOT_A_LIBRARY);
  EXPECT_EQ(refusal(folder.path()).reason, Reason::NOT_A_LIBRARY);
  EXPECT_EQ(refusal(folder / "none.so").reason, Reason::FILE_NOT_FOUND);
  EXPECT_EQ(refusal("/dev/null").reason, Reason::NOT_A_LIBRARY);
}

TEST(ElfFacts, SurvivesEveryDamagedHeaderByte) {
  const TempFolder folder;
  const std::string whole = bytes_of(test::some_library());
  const auto file = folder.write("bent.so", whole);
  for (std::size_t at = 0; at < 64 + 56 * 8; ++at) {
    std::fstream stream(file, std::ios::binary | std::ios::in | std::ios::out);
    stream.seekp(static_cast<std::streamoff>(at)).put(static_cast<char>(~whole[at])).flush();
    static_cast<void>(read_elf(file));
    stream.seekp(static_cast<std::streamoff>(at)).put(whole[at]);
  }
}

}  // namespace
}  // namespace tenon::host
