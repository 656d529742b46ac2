// tenon-manifest LIBRARY OUTPUT [KIND:CLASS[:software]]...: writes the manifest of a plugin that was just built.
//
// Loads the library and asks it who it is; it is not initialised and no device is touched. Part of the SDK: it uses
// nothing of the core.
#include <dlfcn.h>

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <string>
#include <vector>

#include "elf_identity.h"
#include "tenon/plugin.h"

namespace {

[[noreturn]] void stop(const std::string& words) {
  std::fprintf(stderr, "tenon-manifest: %s\n", words.c_str());
  std::exit(1);
}

// -- a host that offers just enough to be asked --------------------------------------------------------------------

std::string plugin_words;

void ignore_log(std::uint32_t, const char*, const char*) {}
void keep_error(std::int32_t, const char* text) { plugin_words = text != nullptr ? text : ""; }
void* allocate(std::uint64_t bytes, std::uint64_t alignment) {
  return std::aligned_alloc(alignment, (bytes + alignment - 1) / alignment * alignment);
}
void release(void* memory) { std::free(memory); }
std::uint32_t one_worker() { return 1; }
std::int32_t loop(std::uint64_t n, std::uint64_t, tenon_parallel_fn* fn, void* context) {
  fn(context, 0, n, 0);
  return TENON_OK;
}
void ignore_loss(std::uint64_t, std::int32_t, const char*) {}
const void* no_extension(const char*, std::uint32_t) { return nullptr; }

constexpr tenon_host host{.size = sizeof(tenon_host),
                          .flags = 0,
                          .abi = TENON_ABI,
                          .pad = 0,
                          .log = ignore_log,
                          .set_error = keep_error,
                          .alloc = allocate,
                          .free = release,
                          .worker_count = one_worker,
                          .parallel_for = loop,
                          .device_lost = ignore_loss,
                          .extension = no_extension};

const void* host_table(std::uint32_t) { return &host; }

tenon_reply ask(const char* library) {
  void* handle = dlopen(library, RTLD_LAZY | RTLD_LOCAL);
  if (handle == nullptr) stop(std::string(library) + " does not load: " + dlerror());
  const auto query_plugin = reinterpret_cast<decltype(&tenon_plugin_query)>(dlsym(handle, "tenon_plugin_query"));
  if (query_plugin == nullptr) stop(std::string(library) + " does not export tenon_plugin_query");

  tenon_query query{};
  query.magic = TENON_QUERY_MAGIC;
  query.size = sizeof query;
  query.abi_max = UINT32_MAX;  // whatever it speaks goes into the manifest; a host decides
  query.sanitizer =
      TENON_SANITIZER_ADDRESS | TENON_SANITIZER_THREAD | TENON_SANITIZER_MEMORY;  // it is loaded: it has them
  query.host_table = host_table;
  tenon_reply reply{};
  reply.size = sizeof reply;
  const std::int32_t status = query_plugin(&query, &reply);
  reply.message[sizeof reply.message - 1] = '\0';
  if (status != TENON_OK || reply.plugin == nullptr)
    stop(std::string(library) + " refuses this SDK: " + reply.message + plugin_words);
  return reply;
}

// -- the manifest --------------------------------------------------------------------------------------------------

std::string quoted(const std::string& text) {
  std::string out = "\"";
  for (const char c : text) {
    char escaped[8];
    std::snprintf(escaped, sizeof escaped, "\\u%04x", static_cast<unsigned>(static_cast<unsigned char>(c)));
    if (c == '"' || c == '\\')
      out.append({'\\', c});
    else if (static_cast<unsigned char>(c) < 0x20)
      out += escaped;
    else
      out += c;
  }
  return out + "\"";
}

std::string text_of(const char* field, const char* value) {
  if (value == nullptr || *value == '\0') stop(std::string("the plugin gives no ") + field);
  for (const char* at = value; *at != '\0'; ++at)
    if (static_cast<unsigned char>(*at) < 0x20 || *at == 0x7f)
      stop(std::string("the ") + field + " holds a control character");
  return quoted(value);
}

/// As the host accepts it: letters, digits, _ . and -; capitals only where they are told to be allowed.
std::string name_of(const char* field, const std::string& value, bool capitals) {
  for (const char c : value) {
    const bool is_letter = (c >= 'a' && c <= 'z') || (capitals && c >= 'A' && c <= 'Z');
    if (!is_letter && !(c >= '0' && c <= '9') && c != '_' && c != '.' && c != '-')
      stop(std::string("the ") + field + " is " + "'" + value + "', expected " + (capitals ? "" : "small ") +
           "letters, digits, _ . and -");
  }
  return text_of(field, value.c_str());
}

std::string name_of(const char* field, const char* value, bool capitals) {
  return name_of(field, std::string(value != nullptr ? value : ""), capitals);
}

std::string kind_of(const std::string& word) {
  const std::string kind = word.substr(0, word.find(':'));
  if (kind == "auto") stop("the kind is 'auto', which stands for the choice of a device");
  return name_of("kind", kind, false);
}

std::string version_text(std::uint32_t abi) {
  return quoted(std::to_string(abi >> 16) + "." + std::to_string(abi & 0xffff));
}

std::string device(const std::string& word) {
  const std::size_t first = word.find(':');
  if (first == std::string::npos || first == 0) stop(word + ": expected KIND:CLASS or KIND:CLASS:software");
  const std::size_t second = word.find(':', first + 1);
  const std::string device_class = word.substr(first + 1, second - first - 1);
  if (device_class != "cpu" && device_class != "gpu" && device_class != "npu" && device_class != "other")
    stop(word + ": the class is cpu, gpu, npu or other");
  const bool software = second != std::string::npos;
  if (software && word.substr(second + 1) != "software") stop(word + ": expected KIND:CLASS:software");
  return "{\"kind\": " + kind_of(word) + ", \"class\": " + quoted(device_class) +
         ", \"software\": " + (software ? "true" : "false") + "}";
}

std::string devices(const std::vector<std::string>& words) {
  std::string out;
  std::set<std::string> kinds;
  for (const std::string& word : words)
    if (!kinds.insert(kind_of(word)).second) stop("the kind '" + word.substr(0, word.find(':')) + "' is named twice");
  for (const std::string& word : words) out += (out.empty() ? "\n    " : ",\n    ") + device(word);
  return "[" + out + (out.empty() ? "]" : "\n  ]");
}

std::string file_name(const std::string& path) { return path.substr(path.find_last_of('/') + 1); }

std::string manifest(const char* library, const std::vector<std::string>& device_words) {
  const tenon_reply reply = ask(library);
  const ElfIdentity elf = read_elf_identity(library);
  return "{\n  \"schema\": 1,\n  \"id\": " + name_of("id", reply.plugin->id, false) +
         ",\n  \"vendor\": " + name_of("vendor", reply.plugin->vendor, true) +
         ",\n  \"version\": " + text_of("version", reply.plugin->version) +
         ",\n  \"library\": " + quoted(file_name(library)) + ",\n  \"devices\": " + devices(device_words) +
         ",\n  \"abi\": {\"min\": " + version_text(reply.abi_min) + ", \"max\": " + version_text(reply.abi_max) +
         "},\n  \"architecture\": " + quoted(elf.architecture) + ",\n  \"build_id\": " + quoted(elf.build_id) + "\n}\n";
}

void write_file(const std::string& path, const std::string& text) {
  const std::string draft = path + ".new";
  std::ofstream stream(draft, std::ios::binary | std::ios::trunc);
  stream << text;
  stream.close();
  if (!stream || std::rename(draft.c_str(), path.c_str()) != 0) stop("cannot write " + path);
}

}  // namespace

int main(int argc, char** argv) {
  if (argc < 3) stop("usage: tenon-manifest LIBRARY OUTPUT [KIND:CLASS[:software]]...");
  write_file(argv[2], manifest(argv[1], {argv + 3, argv + argc}));
  std::_Exit(0);  // the plugin's destructors are none of this program's business
}
