#include "examined.h"

#include "abi_range.h"
#include "call.h"
#include "elf_facts.h"
#include "library.h"
#include "negotiate.h"
#include "plugin_instance.h"

namespace tenon::check {
namespace {

namespace fs = std::filesystem;

constexpr const char* loadable = "a plugin that a host can load";

/// The host's own words about the file, without its name, which heads the report.
std::string without_file(std::string text, const fs::path& file) {
  const std::string prefix = "[plugin] " + file.string() + ": ";
  return text.starts_with(prefix) ? text.substr(prefix.size()) : text;
}

template <class T>
sought<T> or_wrong(result<T> answer, const fs::path& file) {
  if (answer) return *std::move(answer);
  return wrong(without_file(answer.error().text, file), loadable);
}

void add_facts(void* context, const tenon_device_info* info) {
  if (info != nullptr) static_cast<std::vector<DeviceFacts>*>(context)->push_back(host::device_facts(*info));
}

}  // namespace

std::size_t threads_of_this_process() {
  std::error_code ignored;
  const fs::directory_iterator tasks("/proc/self/task", ignored);
  return static_cast<std::size_t>(std::distance(fs::begin(tasks), fs::end(tasks)));
}

tenon_query usual_query() {
  tenon_query query{};
  query.magic = TENON_QUERY_MAGIC;
  query.size = sizeof query;
  query.abi_min = host::abi_min;
  query.abi_max = host::abi_max;
  query.sanitizer = host::own_sanitizer();
  query.host_table = counting_host_table;
  return query;
}

sought<std::unique_ptr<Examined>> Examined::load(const fs::path& file) {
  std::unique_ptr<Examined> examined(new Examined);
  const Surroundings found;
  examined->threads_before_ = threads_of_this_process();
  TENON_HOLDS(examined->open(file));
  TENON_HOLDS(examined->ask());
  examined->threads_after_ = threads_of_this_process();
  examined->changed_by_load_ = found.take_changes();
  examined->copy_tables();
  return examined;
}

Verdict Examined::open(const fs::path& file) {
  fs::path library = file;
  if (file.extension() == ".json") {
    TENON_SEEK(manifest_, or_wrong(read_manifest(file), file));
    library = manifest_->library;
  }
  TENON_HOLDS(or_wrong(host::read_elf(library), library));
  TENON_SEEK(library_, or_wrong(host::Library::open(library), library));
  TENON_SEEK(query_, or_wrong(library_.entry_point(), library));
  return {};
}

Verdict Examined::ask() {
  const tenon_query query = usual_query();
  reply_.size = sizeof reply_;
  TENON_SEEK(const std::int32_t status, status_of("tenon_plugin_query", [&] { return query_(&query, &reply_); }));
  if (auto accepted = host::check_reply(library(), status, reply_); !accepted)
    return wrong(without_file(accepted.error().text, library()), loadable);
  return {};
}

void Examined::copy_tables() {
  const std::string offered = host::abi_facts(reply_.abi_min, reply_.abi_max);
  if (auto copied = host::copy_plugin_table(library(), raw(), offered, host_copies_); !copied) {
    table_fault_ = std::move(copied).error();
    table_fault_->text = without_file(table_fault_->text, library());
    return;
  }
  plugin_ = host::copy_sized(raw());
  if (raw().devices != nullptr) devices_ = host::copy_sized(*raw().devices);
  host::copy_capsules(true, host_copies_);
}

Verdict Examined::initialize() {
  if (is_initialized_) return {};
  if (table_fault_) return skipped("the plugin's table is not complete: see interface/slots");
  const Surroundings found;
  const Verdict initialized = succeeds("initialize", [&] { return plugin_.initialize(nullptr, 0, &self_); });
  changed_by_initialize_ = found.take_changes();
  is_initialized_ = initialized.has_value();
  return initialized;
}

sought<std::vector<DeviceFacts>> Examined::enumerate() const {
  std::vector<DeviceFacts> found;
  TENON_HOLDS(succeeds("enumerate", [&] { return devices_.enumerate(self_, add_facts, &found); }));
  return found;
}

}  // namespace tenon::check
