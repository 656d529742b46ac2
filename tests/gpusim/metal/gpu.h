// gpu.h: a device and what it makes but for what runs (commands.h). Guarded by the lock of system.h.
#pragma once
#include <algorithm>

#include "foundation.h"
#include "system.h"

namespace gpusim::metal {

struct Buffer : Object {
  Buffer(Gpu& of, unsigned long bytes, bool shared);
  ~Buffer();
  /// "nil if the buffer's storage mode is private" (MTLBuffer, contents).
  void* contents() { return shared_ ? address : nullptr; }
  unsigned long length() { return bytes; }
  bool holds(unsigned long offset, unsigned long count) const { return offset <= bytes && count <= bytes - offset; }
  Memory& memory() const;
  /// Null: there was no memory for it.
  char* address = nullptr;
  const unsigned long bytes;

 private:
  Ref<Gpu> gpu_;
  const bool shared_;
};

struct Function : Object {
  Function(std::string of, const System::Found& found);
  const std::string name;
  const System::Found found;
};

struct KernelLibrary : Object {
  explicit KernelLibrary(std::string of);
  Object* function(String* name);
  /// The source, or nothing: has every kernel.
  const std::string source;
};

struct Pipeline : Object {
  explicit Pipeline(Function& function);
  unsigned long max_threads();
  Ref<Function> function;
};

struct CompileOptions : Object {
  CompileOptions();
  void set_fast(bool on) { fast = on; }
  void set_language(unsigned long number) { language = number; }
  bool fast = true;  // as Apple has it
  unsigned long language = 0;
};

struct SharedEvent : Object {
  SharedEvent();
  std::uint64_t signaled() { return value; }
  void set_signaled(std::uint64_t to);
  bool wait(std::uint64_t for_value, std::uint64_t milliseconds);
  std::uint64_t value = 0;
};

struct Gpu : Object {
  Gpu(int ordinal, const Settings& settings, Memory* shared);
  Object* name() { return autoreleased(new String("gpusim")); }
  std::uint64_t registry_id() { return static_cast<std::uint64_t>(number) + 1; }
  bool unified() { return settings.unified; }
  std::uint64_t working_set() { return settings.memory_bytes; }
  /// "At least 256 MB" (Metal Feature Set Tables, Maximum MTLBuffer length).
  unsigned long max_buffer() { return std::max<unsigned long>(settings.memory_bytes, 256ul << 20); }
  bool supports(long family) { return family == 1007; }
  Object* new_queue();
  Object* new_buffer(unsigned long bytes, unsigned long options);
  Object* new_library_with_data(Object* data, Object** error);
  Object* new_library_with_source(String* source, CompileOptions* options, Object** error);
  Object* new_pipeline(Function* function, Object** error);
  Object* new_event();

  const int number;
  const Settings& settings;
  Device simulated;
  std::size_t taken_bytes = 0;  // shared and private
};

}  // namespace gpusim::metal
