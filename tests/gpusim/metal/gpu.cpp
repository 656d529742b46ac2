#include "gpu.h"

#include <cstring>

#include "commands.h"
#include "data.h"

namespace gpusim::metal {
namespace {

const Class buffer_class{nullptr,
                         "MTLBuffer",
                         {{"contents", method<&Buffer::contents>()}, {"length", method<&Buffer::length>()}},
                         destroy_as<Buffer>};
const Class function_class{nullptr, "MTLFunction", {}, destroy_as<Function>};
const Class library_class{
    nullptr, "MTLLibrary", {{"newFunctionWithName:", method<&KernelLibrary::function>()}}, destroy_as<KernelLibrary>};
const Class pipeline_class{nullptr,
                           "MTLComputePipelineState",
                           {{"maxTotalThreadsPerThreadgroup", method<&Pipeline::max_threads>()}},
                           destroy_as<Pipeline>};
const Class options_class{nullptr,
                          "MTLCompileOptions",
                          {{"setFastMathEnabled:", method<&CompileOptions::set_fast>()},
                           {"setLanguageVersion:", method<&CompileOptions::set_language>()}},
                          destroy_as<CompileOptions>};
const Class event_class{nullptr,
                        "MTLSharedEvent",
                        {{"signaledValue", method<&SharedEvent::signaled>()},
                         {"setSignaledValue:", method<&SharedEvent::set_signaled>()},
                         {"waitUntilSignaledValue:timeoutMS:", method<&SharedEvent::wait>()}},
                        destroy_as<SharedEvent>};
const Class gpu_class{nullptr,
                      "MTLDevice",
                      {{"name", method<&Gpu::name>()},
                       {"registryID", method<&Gpu::registry_id>()},
                       {"hasUnifiedMemory", method<&Gpu::unified>()},
                       {"recommendedMaxWorkingSetSize", method<&Gpu::working_set>()},
                       {"maxBufferLength", method<&Gpu::max_buffer>()},
                       {"supportsFamily:", method<&Gpu::supports>()},
                       {"newCommandQueue", method<&Gpu::new_queue>()},
                       {"newBufferWithLength:options:", method<&Gpu::new_buffer>()},
                       {"newLibraryWithData:error:", method<&Gpu::new_library_with_data>()},
                       {"newLibraryWithSource:options:error:", method<&Gpu::new_library_with_source>()},
                       {"newComputePipelineStateWithFunction:error:", method<&Gpu::new_pipeline>()},
                       {"newSharedEvent", method<&Gpu::new_event>()}},
                      destroy_as<Gpu>};

Object* make_options() { return new CompileOptions; }
void complain(const std::string& words) { System::get().complain(words); }
bool fails() { return System::get().planned_failure() != 0; }

}  // namespace

// -- buffers ----------------------------------------------------------------------------------------------------------

Buffer::Buffer(Gpu& of, unsigned long count, bool shared)
    : Object(buffer_class), bytes(count), gpu_(&of), shared_(shared) {
  address = static_cast<char*>(memory().allocate(bytes));
  if (address == nullptr) return;
  gpu_->taken_bytes += bytes;
  if (shared_) std::memset(address, 0xff, bytes);  // what nobody wrote is NaN
}

Buffer::~Buffer() {
  if (address == nullptr) return;
  memory().free(address);
  gpu_->taken_bytes -= bytes;
}

Memory& Buffer::memory() const { return shared_ ? System::get().shared_memory() : gpu_->simulated.memory(); }

Object* Gpu::new_buffer(unsigned long bytes, unsigned long options) {
  constexpr unsigned long shared = 0, in_private = 2 << 4;
  if (options != shared && options != in_private) {
    complain("newBufferWithLength: was given options " + std::to_string(options) + ", which are not modelled");
    return nullptr;
  }
  if (bytes == 0) {
    complain("newBufferWithLength: was asked for an empty buffer");
    return nullptr;
  }
  if (fails() || bytes > max_buffer() || taken_bytes + bytes > settings.memory_bytes) return nullptr;
  auto* buffer = new Buffer(*this, bytes, options == shared);
  if (buffer->address != nullptr) return buffer;
  release(buffer);
  return nullptr;
}

// -- kernels ----------------------------------------------------------------------------------------------------------

Function::Function(std::string of, const System::Found& kernel)
    : Object(function_class), name(std::move(of)), found(kernel) {}
KernelLibrary::KernelLibrary(std::string of) : Object(library_class), source(std::move(of)) {}
Pipeline::Pipeline(Function& of) : Object(pipeline_class), function(&of) {}
CompileOptions::CompileOptions() : Object(options_class) {}

unsigned long Pipeline::max_threads() { return function->found.kernel->max_threads; }

// A source has the kernels that it names.
Object* KernelLibrary::function(String* name) {
  if (fails()) return nullptr;
  if (!source.empty() && source.find(name->text.substr(name->text.find('_') + 1)) == std::string::npos) return nullptr;
  const System::Found found = System::get().find_kernel(name->text);
  return found.kernel == nullptr ? nullptr : new Function(name->text, found);
}

Object* Gpu::new_library_with_data(Object* data, Object** error) {
  const std::string& bytes = static_cast<Data*>(data)->bytes;
  if (bytes.substr(0, 4) != "MTLB") complain("newLibraryWithData: was given what is no library");
  if (fails() || !settings.takes_library) {
    set_error(error, 1, "this library was made for a newer system");
    return nullptr;
  }
  return new KernelLibrary({});
}

// Includes are the caller's to resolve: Metal has no folders to look in.
Object* Gpu::new_library_with_source(String* source, CompileOptions* options, Object** error) {
  if (options == nullptr || options->language != (3 << 16))
    complain("newLibraryWithSource: was not given the language of these kernels");
  if (source->text.find("\n#include \"") != std::string::npos)
    complain("newLibraryWithSource: was given a source that includes a file");
  const bool is_fast = source->text.find("kernel void fast_") != std::string::npos;
  if (options != nullptr && options->fast && !is_fast)
    complain("newLibraryWithSource: was given strict kernels with fast mathematics");
  if (fails()) {
    set_error(error, 3, "program_source:1:1: error: failed as planned");
    return nullptr;
  }
  return new KernelLibrary(source->text);
}

Object* Gpu::new_pipeline(Function* function, Object** error) {
  if (function == nullptr) {
    complain("newComputePipelineStateWithFunction: was given nil");
    return nullptr;
  }
  if (fails()) {
    set_error(error, 2, "the compiler of pipelines failed as planned");
    return nullptr;
  }
  return new Pipeline(*function);
}

// -- events -----------------------------------------------------------------------------------------------------------

SharedEvent::SharedEvent() : Object(event_class) {}

void SharedEvent::set_signaled(std::uint64_t to) {
  if (to < value) complain("setSignaledValue: was given a value below the one that the event has");
  value = to;
}

// No time passes here: what can be done is done, and whoever still waits waited in vain.
bool SharedEvent::wait(std::uint64_t for_value, std::uint64_t) {
  return System::get().work_until([&] { return value >= for_value; });
}

// -- devices ----------------------------------------------------------------------------------------------------------

Gpu::Gpu(int ordinal, const Settings& of, Memory* shared)
    : Object(gpu_class),
      number(ordinal),
      settings(of),
      simulated(DeviceSettings{.warp_width = of.warp_width,
                               .memory_bytes = of.memory_bytes,
                               .schedule = of.schedule,
                               .seed = of.seed,
                               .pinned = shared}) {}

Object* Gpu::new_queue() { return fails() ? nullptr : new Queue(*this); }
Object* Gpu::new_event() { return fails() ? nullptr : new SharedEvent; }

}  // namespace gpusim::metal

extern "C" {
extern const gpusim::metal::Class fake_MTLCompileOptions asm("OBJC_CLASS_$_MTLCompileOptions");
const gpusim::metal::Class fake_MTLCompileOptions{
    nullptr, "MTLCompileOptions", {}, nullptr, gpusim::metal::make_options};

gpusim::metal::Object* MTLCopyAllDevices() {
  using namespace gpusim::metal;
  const Entered entered("MTLCopyAllDevices");
  std::vector<Ref<Object>> devices;
  if (System::get().planned_failure() == 0) {
    for (const Ref<Gpu>& gpu : System::get().gpus()) devices.emplace_back(gpu.get());
  }
  return new Array(std::move(devices));
}
}
