#include <fstream>

#include "program_listing.h"
#include "tenon/contain.h"
#include "tenon/program_text.h"

namespace tenon {
namespace {

constexpr std::uintmax_t most_bytes = std::uintmax_t{16} << 20;

auto recording(std::shared_ptr<const ProgramListing> listing, const ProgramSection& section,
               const ProgramSection* training) {
  return [listing = std::move(listing), &section, training](const ProgramArguments& arguments) {
    const bool trains = training != nullptr && arguments.recorder.training();
    return replay(*listing, trains ? *training : section, arguments);
  };
}

Program program_of(const std::shared_ptr<const ProgramListing>& listing) {
  Program program{.name = listing->name,
                  .parameters = listing->parameters,
                  .inputs = listing->reals,
                  .forward_reals = listing->forward_reals,
                  .forward_naturals = listing->forward_naturals,
                  .forward = recording(listing, *listing->forward, nullptr),
                  .loss = {},
                  .states = listing->states};
  program.inputs.insert(program.inputs.end(), listing->naturals.begin(), listing->naturals.end());
  if (listing->loss)
    program.loss = recording(listing, *listing->loss, listing->training_loss ? &*listing->training_loss : nullptr);
  return program;
}

auto unreadable(Reason reason, const std::filesystem::path& file, const std::string& what, std::string hint = {}) {
  return fail(reason, "[program] " + file.string() + ": " + what, std::move(hint));
}

result<std::string> read_text(const std::filesystem::path& file) {
  std::error_code failed;
  const auto status = std::filesystem::status(file, failed);
  if (!std::filesystem::exists(status)) return unreadable(Reason::FILE_NOT_FOUND, file, "the file does not exist");
  if (!std::filesystem::is_regular_file(status))
    return unreadable(Reason::FILE_UNREADABLE, file, "found no regular file, expected one", "check the path");
  const std::uintmax_t bytes = std::filesystem::file_size(file, failed);
  if (!failed && bytes > most_bytes)
    return unreadable(Reason::FILE_MALFORMED, file,
                      "found " + std::to_string(bytes) + " bytes, expected at most " + std::to_string(most_bytes));
  std::ifstream stream(file, std::ios::binary);
  std::string text(failed ? 0 : bytes, '\0');
  if (!failed && stream.read(text.data(), static_cast<std::streamsize>(text.size()))) return text;
  return unreadable(Reason::FILE_UNREADABLE, file, "the file cannot be read");
}

}  // namespace

result<Program> parse_program(std::string_view text, std::string_view file_name) {
  return contained("program", [&]() -> result<Program> {
    auto listing = std::make_shared<ProgramListing>();
    listing->text = text;
    listing->place = "[program] " + std::string(file_name);
    listing->name = std::filesystem::path(file_name).stem().string();
    TENON_CHECK(read_listing(*listing));
    return program_of(listing);
  });
}

result<Program> read_program(const std::filesystem::path& file) {
  return contained("program", [&]() -> result<Program> {
    TENON_TRY(const std::string text, read_text(file));
    return parse_program(text, file.string());
  });
}

}  // namespace tenon
