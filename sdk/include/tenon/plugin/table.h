// table.h: the tables that a plugin hands to the host, made from its own classes.
//
// The plugin itself is a class; the object made by initialize() is what `self` points to in every later call:
//
//   class Acme {
//    public:
//     static constexpr Identity identity{"acme", "Acme Corporation", "1.0.0"};
//     static constexpr const tenon_devices* devices = &acme_devices;      // absent: brings kernels only
//     static constexpr std::string_view options[] = {"rounding"};         // absent: takes none
//     explicit Acme(const Options& options);                              // or a default constructor
//     void quiesce();                                                     // absent: nothing is ever under way
//     const void* extension(std::string_view name, std::uint32_t version);// absent: it has none
//     static std::span<const tenon_capsule* const> capsules();            // absent: those of TENON_CAPSULES
//   };
//
//   extern "C" std::int32_t tenon_plugin_query(const tenon_query* query, tenon_reply* reply) {
//     return tenon::plugin::answer<Acme>(query, reply);
//   }
//
// Ownership: the tables are constant and live in the plugin; the object lives from initialize() to shutdown(). Threads:
// any; enumerate() and open() may come from several at once.
#pragma once
#include "tenon/plugin/capsule.h"
#include "tenon/plugin/options.h"

namespace tenon::plugin {

// -- devices ------------------------------------------------------------------------------------------------

/// Fits every slot.
template <class... Arguments>
std::int32_t unimplemented(Arguments...) noexcept {
  return TENON_UNIMPLEMENTED;
}

/// A table whose every mandatory slot says TENON_UNIMPLEMENTED: replace them one by one. Optional slots are empty.
constexpr tenon_devices unimplemented_devices() {
  tenon_devices table{};
  table.size = sizeof table;
  table.enumerate = unimplemented;
  table.open = unimplemented;
  table.close = unimplemented;
  table.memory_alloc = unimplemented;
  table.memory_free = unimplemented;
  table.memory_info = unimplemented;
  table.memory_trim = unimplemented;
  table.stream_create = unimplemented;
  table.stream_destroy = unimplemented;
  table.stream_wait = unimplemented;
  table.stream_synchronize = unimplemented;
  table.copy = unimplemented;
  table.copy_in = unimplemented;
  table.copy_out = unimplemented;
  table.fill = unimplemented;
  table.event_create = unimplemented;
  table.event_destroy = unimplemented;
  table.event_record = unimplemented;
  table.event_query = unimplemented;
  table.event_wait = unimplemented;
  table.event_error = unimplemented;
  return table;
}

namespace detail {

template <class Member>
struct ClassOf;
template <class Class, class Result, class... Arguments>
struct ClassOf<Result (Class::*)(Arguments...)> {
  using type = Class;
};
template <class Class, class Result, class... Arguments>
struct ClassOf<Result (Class::*)(Arguments...) const> {
  using type = Class;
};

template <auto Member, class Handle, class... Arguments>
std::int32_t call(Handle* handle, Arguments... arguments) noexcept {
  using Class = typename ClassOf<decltype(Member)>::type;
  return guard([&] { return (from_handle<Class>(handle).*Member)(arguments...); });
}

template <auto Member>
struct Slot {
  template <class Handle, class... Arguments>
  using Function = std::int32_t (*)(Handle*, Arguments...);

  template <class Handle, class... Arguments>
  constexpr operator Function<Handle, Arguments...>() const {
    return call<Member, Handle, Arguments...>;
  }
};

}  // namespace detail

/// A slot whose first argument is an opaque handle, as a member of the handle's class: `table.close = slot<&X::close>`.
/// The member throws KernelError to fail, and returns nothing or a status.
template <auto Member>
inline constexpr detail::Slot<Member> slot;

// -- the plugin ---------------------------------------------------------------------------------------------

struct Identity {
  const char *id, *vendor, *version;
  const char* build = __VERSION__;  // free words: here the compiler
};

namespace detail {

template <class Plugin>
constexpr std::span<const std::string_view> known_options() {
  if constexpr (requires { Plugin::options; }) return Plugin::options;
  return {};
}

template <class Plugin>
std::int32_t initialize(const tenon_attr* options, std::uint32_t option_count, void** self) {
  *self = nullptr;
  return guard([&] {
    const std::span<const tenon_attr> given(options, option_count);
    check_options(Plugin::identity.id, given, known_options<Plugin>());
    if constexpr (std::is_constructible_v<Plugin, const Options&>)
      *self = new Plugin(Options(Plugin::identity.id, given));
    else
      *self = new Plugin();
  });
}

template <class Plugin>
std::int32_t quiesce(void* self) {
  return guard([&] {
    if constexpr (requires(Plugin plugin) { plugin.quiesce(); }) static_cast<Plugin*>(self)->quiesce();
  });
}

template <class Plugin>
void shutdown(void* self) noexcept {
  delete static_cast<Plugin*>(self);
}

template <class Plugin>
const void* extension(void* self, const char* name, std::uint32_t version) {
  const void* table = nullptr;
  if constexpr (requires(Plugin plugin) { plugin.extension(name, version); })
    static_cast<void>(guard([&] { table = static_cast<Plugin*>(self)->extension(name, version); }));
  return table;
}

template <class Plugin>
constexpr const tenon_devices* devices_of() {
  if constexpr (requires { Plugin::devices; }) return Plugin::devices;
  return nullptr;
}

template <class Plugin>
std::span<const tenon_capsule* const> capsules_of() {
  if constexpr (requires { Plugin::capsules(); }) return Plugin::capsules();
  return linked_capsules();
}

template <class Plugin>
tenon_plugin make_table() {
  const auto capsules = capsules_of<Plugin>();
  tenon_plugin table{};
  table.size = sizeof table;
  table.id = Plugin::identity.id;
  table.vendor = Plugin::identity.vendor;
  table.version = Plugin::identity.version;
  table.build = Plugin::identity.build;
  table.devices = devices_of<Plugin>();
  table.capsule_count = static_cast<std::uint32_t>(capsules.size());
  table.capsules = capsules.data();
  table.initialize = initialize<Plugin>;
  table.quiesce = quiesce<Plugin>;
  table.shutdown = shutdown<Plugin>;
  table.extension = extension<Plugin>;
  return table;
}

}  // namespace detail

/// Made when it is first asked for, since loading a library should run no code.
template <class Plugin>
const tenon_plugin* table_of() {
  static const tenon_plugin table = detail::make_table<Plugin>();
  return &table;
}

/// The whole of tenon_plugin_query.
template <class Plugin>
std::int32_t answer(const tenon_query* query, tenon_reply* reply) noexcept {
  return answer_query(Plugin::identity.id, query, reply, table_of<Plugin>);
}

}  // namespace tenon::plugin
