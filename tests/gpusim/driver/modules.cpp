// Modules of a fake driver: the code object is looked at, and its kernels are taken from the library that was compiled
// for the host.
#include <cstdio>
#include <cstdlib>

#include "driver.h"
#include "image.h"

namespace gpusim::driver {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and HIP's alike.
constexpr unsigned max_threads = 1024, max_threads_z = 64, max_blocks_yz = 65535, max_blocks_x = 0x7fffffff,
                   max_dynamic_shared_bytes = 48 << 10;

bool is_launchable(const Grid& grid) {
  const Extent &blocks = grid.blocks, &threads = grid.threads;
  if (blocks.count() == 0 || threads.count() == 0 || threads.count() > max_threads) return false;
  if (threads.x > max_threads || threads.y > max_threads || threads.z > max_threads_z) return false;
  return blocks.x <= max_blocks_x && blocks.y <= max_blocks_yz && blocks.z <= max_blocks_yz;
}

/// "The parameters are copied" when the launch is asked for (cuLaunchKernel), so that the caller's may be gone when it
/// is done.
struct Arguments {
  std::vector<std::vector<char>> values;
  std::vector<void*> pointers;

  Arguments(const gpusim_kernel& kernel, void** given) {
    for (unsigned i = 0; i < kernel.argument_count; ++i) {
      const auto* begin = static_cast<const char*>(given[i]);
      values.emplace_back(begin, begin + kernel.argument_bytes[i]);
    }
    for (auto& value : values) pointers.push_back(value.data());
  }
};

}  // namespace

Status Driver::load(void** handle, const void* image) {
  if (handle == nullptr || image == nullptr) return invalid_value;
  const Status status = check_image(image, settings_.architecture);
  if (status != success) return status;
  if (library_ == nullptr) {
    std::string why_not = "TENON_GPUSIM_KERNELS names no library of kernels";
    if (!settings_.kernels.empty()) library_ = Library::open(settings_.kernels, why_not);
    if (library_ == nullptr) unmodelled("code objects without their kernels: " + why_not);
  }
  *handle = modules_.add(Module{.device = current()->device, .functions = {}});
  return success;
}

Status Driver::unload(void* handle) {
  Module* module = known(modules_, handle, "module");
  if (module == nullptr) return invalid_handle;
  for (const auto& [name, function] : module->functions) functions_.remove(function);
  modules_.remove(handle);
  return success;
}

Status Driver::find(void** handle, void* module_handle, const char* name) {
  if (handle == nullptr || name == nullptr) return invalid_value;
  Module* module = known(modules_, module_handle, "module");
  if (module == nullptr) return invalid_handle;
  Function*& function = module->functions[name];
  if (function == nullptr) {
    const gpusim_kernel* kernel = library_->find(name);
    if (kernel == nullptr) {
      module->functions.erase(name);
      return not_found;
    }
    function = functions_.add(Function{.device = module->device, .module = module, .kernel = kernel});
  }
  *handle = function;
  return success;
}

Status Driver::launch(void* handle, const Grid& grid, void* stream_handle, void** given) {
  Stream* s = stream(stream_handle);
  const Function* function = known(functions_, handle, "function");
  if (s == nullptr || function == nullptr) return invalid_handle;
  if (function->device != s->device) return complain(now_, "was given a function of another device", invalid_handle);
  if (!is_launchable(grid) || grid.dynamic_shared_bytes > max_dynamic_shared_bytes) {
    return complain(now_, std::string("was given a grid that no device takes, for ") + function->kernel->name,
                    invalid_value);
  }
  if (given == nullptr && function->kernel->argument_count != 0) return invalid_value;
  auto arguments = std::make_shared<Arguments>(*function->kernel, given);
  Context* context = current();
  return enqueue(
      *s, {.run =
               [this, context, grid, arguments, kernel = function->kernel](Status error) {
                 if (error != success) return success;
                 ++launches_;
                 const Launch launch{grid.blocks, grid.threads, arguments->pointers.data(), grid.dynamic_shared_bytes};
                 return context->simulated->run(*library_, *kernel, launch) ? success : illegal_address;
               },
           .after = nullptr});
}

}  // namespace gpusim::driver
