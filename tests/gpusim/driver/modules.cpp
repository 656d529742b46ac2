// Modules of a fake driver: the code object is looked at, and its kernels are taken from the library that was compiled
// for the host.
#include <algorithm>
#include <sstream>

#include "driver.h"
#include "image.h"

namespace gpusim::driver {
namespace {

// CUDA C++ Programming Guide, "Technical Specifications per Compute Capability", and HIP's alike.
constexpr unsigned max_threads = 1024, max_threads_z = 64, max_blocks_yz = 65535, max_blocks_x = 0x7fffffff,
                   max_dynamic_shared_bytes = 48 << 10;

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
  open_libraries();
  *handle = modules_.add(Module{.device = current()->device, .functions = {}});
  return success;
}

void Driver::open_libraries() {
  if (!libraries_.empty()) return;
  std::string why_not = "TENON_GPUSIM_KERNELS names no library of kernels";
  std::istringstream paths(settings_.kernels);
  for (std::string path; std::getline(paths, path, ':');) {
    libraries_.push_back(Library::open(path, why_not));
    if (libraries_.back() == nullptr) break;
  }
  if (libraries_.empty() || libraries_.back() == nullptr) unmodelled("code objects without their kernels: " + why_not);
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
    const auto library = std::ranges::find_if(libraries_, [&](const auto& l) { return l->find(name) != nullptr; });
    if (library == libraries_.end()) {
      module->functions.erase(name);
      return not_found;
    }
    function = functions_.add(Function{
        .device = module->device, .module = module, .library = library->get(), .kernel = (*library)->find(name)});
  }
  *handle = function;
  return success;
}

// "HIP does not support kernel launch with total work items defined in dimension with size gridDim x blockDim >= 2^32"
// (hipModuleLaunchKernel).
bool Driver::is_launchable(const Grid& grid) const {
  const Extent &blocks = grid.blocks, &threads = grid.threads;
  if (blocks.count() == 0 || threads.count() == 0 || threads.count() > max_threads) return false;
  if (threads.x > max_threads || threads.y > max_threads || threads.z > max_threads_z) return false;
  if (blocks.x > max_blocks_x || blocks.y > max_blocks_yz || blocks.z > max_blocks_yz) return false;
  return vendor_ == Vendor::cuda || std::uint64_t{blocks.x} * threads.x >> 32 == 0;
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
  // "A kernel will fail to launch if it is executed with more threads per block than its launch bound" (CUDA C++
  // Programming Guide, "Launch Bounds").
  if (grid.threads.count() > function->kernel->max_threads) {
    return complain(now_, std::string("was given more threads than the launch bounds of ") + function->kernel->name,
                    out_of_resources);
  }
  if (given == nullptr && function->kernel->argument_count != 0) return invalid_value;
  auto arguments = std::make_shared<Arguments>(*function->kernel, given);
  Context* context = current();
  return enqueue(*s, {.run =
                          [this, context, grid, arguments, handle, library = function->library,
                           kernel = function->kernel, number = works_](Status error) {
                            if (error != success) return success;
                            // Who was told that a wait failed, as planned, can do no better than go on to the end.
                            if (functions_.find(handle) == nullptr && !failures_.given().empty())
                              return illegal_address;
                            if (functions_.find(handle) == nullptr) {
                              return complain(
                                  "a launch",
                                  std::string("came to its turn when the module of ") + kernel->name + " was unloaded",
                                  illegal_address);
                            }
                            ++launches_;
                            const Launch launch{grid.blocks, grid.threads, arguments->pointers.data(),
                                                grid.dynamic_shared_bytes, number};
                            return context->simulated->run(*library, *kernel, launch) ? success : illegal_address;
                          },
                      .after = nullptr});
}

}  // namespace gpusim::driver
