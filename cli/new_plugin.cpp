#include <algorithm>
#include <filesystem>
#include <fstream>
#include <system_error>

#include "command.h"
#include "plugin_template.h"
#include "tenon/text.h"

namespace tenon::cli {
namespace {

namespace fs = std::filesystem;

struct NewPluginArguments {
  std::string kind, vendor = "me", into = ".";
};

// -- names ----------------------------------------------------------------------------------------------------------

bool is_small(char c) { return c >= 'a' && c <= 'z'; }
bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_capital(char c) { return c >= 'A' && c <= 'Z'; }

/// A plugin's id is the name of files and CMake targets, a kind is typed behind --device, where vendor/kind, kind:N and
/// auto have meanings of their own.
bool is_name(std::string_view word) {
  const auto fits = [](char c) { return is_small(c) || is_digit(c) || c == '_'; };
  return !word.empty() && is_small(word.front()) && std::ranges::all_of(word, fits) && word != "auto";
}
constexpr std::string_view a_name = "a small letter, then small letters, digits and _, but not auto";

bool is_vendor(std::string_view word) {
  const auto fits = [](char c) {
    return is_small(c) || is_capital(c) || is_digit(c) || c == '_' || c == '.' || c == '-';
  };
  return !word.empty() && std::ranges::all_of(word, fits);
}

template <std::string NewPluginArguments::*Member, bool (*fits)(std::string_view)>
result<void> set_name(NewPluginArguments& arguments, const GivenFlag& flag) {
  if (!fits(*flag.value)) return fail(bad_value(flag));
  arguments.*Member = *flag.value;
  return {};
}

const auto& new_plugin_settings() {
  static const auto all = std::to_array<Setting<NewPluginArguments>>({
      {{.name = "--kind",
        .metavar = "KIND",
        .expected = std::string(a_name),
        .help = "what the device is called behind --device",
        .standard = "the plugin's name"},
       set_name<&NewPluginArguments::kind, is_name>},
      {{.name = "--vendor",
        .metavar = "V",
        .expected = "letters, digits, _ . and -",
        .help = "who makes the plugin",
        .standard = "me"},
       set_name<&NewPluginArguments::vendor, is_vendor>},
      {{.name = "--into",
        .metavar = "FOLDER",
        .expected = "a folder",
        .help = "where the plugin's folder is made",
        .standard = "the working directory"},
       set_text<&NewPluginArguments::into>},
  });
  return all;
}

result<std::string> plugin_name(std::span<const std::string> words) {
  if (words.empty())
    return fail(usage_error("[new-plugin] no name given: expected one", "write `tenon new-plugin NAME`"));
  TENON_CHECK(expect_no_words(words.subspan(1)));
  if (!is_name(words.front()))
    return fail(usage_error("[new-plugin] the plugin's name: found \"" + shown(words.front()) + "\", expected " +
                            std::string(a_name)));
  return words.front();
}

// -- files ----------------------------------------------------------------------------------------------------------

using Words = std::vector<std::pair<std::string_view, std::string_view>>;

/// In one pass, so that what was put in stays as it is.
std::string replaced(std::string_view text, const Words& words) {
  std::string out;
  while (!text.empty()) {
    const auto here = std::ranges::find_if(words, [&](const auto& word) { return text.starts_with(word.first); });
    out += here == words.end() ? text.substr(0, 1) : here->second;
    text.remove_prefix(here == words.end() ? 1 : here->first.size());
  }
  return out;
}

auto cannot_write(const fs::path& path, const std::string& why, std::string hint = {}) {
  return fail(Reason::FILE_WRITE_FAILED, "[new-plugin] " + path.string() + ": " + why, std::move(hint));
}

/// A folder that goes away again, with all that was written into it, unless it is kept.
class NewFolder {
 public:
  static result<NewFolder> make(const fs::path& path) {
    std::error_code failed, ignored;
    if (fs::create_directory(path, failed)) return NewFolder(path);
    if (!failed || fs::exists(path, ignored))
      return cannot_write(path, "is there already, expected a name that is free",
                          "choose another name, or a folder with --into");
    return cannot_write(path, "cannot be made: " + failed.message());
  }
  NewFolder(NewFolder&& other) noexcept : path_(std::exchange(other.path_, {})) {}
  NewFolder& operator=(NewFolder&&) = delete;
  ~NewFolder() {
    std::error_code ignored;
    if (!path_.empty()) fs::remove_all(path_, ignored);
  }

  result<void> write(const std::string& name, const std::string& text) const {
    std::ofstream stream(path_ / name, std::ios::binary);
    stream << text;
    stream.close();
    if (!stream) return cannot_write(path_ / name, std::generic_category().message(errno));
    return {};
  }
  void keep() { path_.clear(); }

 private:
  explicit NewFolder(fs::path path) : path_(std::move(path)) {}
  fs::path path_;
};

// -- what comes next ------------------------------------------------------------------------------------------------

/// The tree that this program is installed in, if the SDK is there, too; else nothing.
std::string sdk_folder() {
  std::error_code failed;
  const fs::path prefix = fs::read_symlink("/proc/self/exe", failed).parent_path().parent_path();
  return !failed && fs::exists(prefix / "lib/cmake/TenonSDK", failed) ? prefix.string() : std::string();
}

/// `device` names the vendor, too: a kind of Tenon's own would be Tenon's.
std::string next_steps(const fs::path& folder, const std::string& name, const std::string& device) {
  const std::string sdk = sdk_folder();
  const auto word = [](const fs::path& path) { return shell_word(path.string()); };
  const auto in_sdk = [&](const std::string& path) { return sdk.empty() ? "\"$SDK" + path + "\"" : word(sdk + path); };
  const std::string manifest = word(folder / "build/lib/tenon-plugins" / (name + ".tenon.json"));
  std::string out = "wrote " + folder.string() + "; build it, check it, and run a program on its device";
  if (sdk.empty()) out += ", where $SDK is the folder that the SDK is installed in";
  out += ":\n  cmake -S " + word(folder) + " -B " + word(folder / "build") + " -DCMAKE_PREFIX_PATH=" + in_sdk("");
  out += "\n  cmake --build " + word(folder / "build");
  out += "\n  " + in_sdk("/bin/tenon") + " check " + manifest;
  out += "\n  " + in_sdk("/bin/tenon") + " run " + word(folder / "first.tenon") + " --device " + device + " --plugin " +
         manifest + " --output first.csv\n";
  return out;
}

result<Output> run_new_plugin(std::span<const std::string> args) {
  TENON_TRY(auto arguments, parse_arguments<NewPluginArguments>(args, new_plugin_settings(), no_flags()));
  TENON_TRY(const std::string name, plugin_name(arguments.words));
  const std::string kind = arguments.own.kind.empty() ? name : arguments.own.kind;
  const fs::path place = (fs::path(arguments.own.into) / name).lexically_normal();
  TENON_TRY(NewFolder folder, NewFolder::make(place));
  const Words words{{"template_name", name}, {"template_kind", kind}, {"template_vendor", arguments.own.vendor}};
  for (const TemplateFile& file : plugin_template())
    TENON_CHECK(folder.write(replaced(file.name, words), replaced(file.text, words)));
  folder.keep();
  return Output(next_steps(place, name, arguments.own.vendor + "/" + kind));
}

}  // namespace

const Command new_plugin_command{"new-plugin",
                                 "NAME",
                                 "write a plugin to begin with: it builds and runs",
                                 [] { return table_of<NewPluginArguments>(new_plugin_settings()); },
                                 no_flags,
                                 run_new_plugin};

}  // namespace tenon::cli
