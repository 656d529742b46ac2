// module_file.h: a module as a file: parameters, state, and what a training needs to go on: the optimizer's moments and
// steps, and the counter of random operations.
//
// A safetensors file. Parameters and states stand under their own names at their own width; moments as
// `optimizer.m.fc1.weight`. One thread at a time, the module's.
#pragma once
#include <filesystem>

#include "tenon/module_core.h"

namespace tenon {

/// Written whole or not at all. `optimizer` may be null.
TENON_API result<void> save_module(const std::filesystem::path& path, ModuleCore& module, const Optimizer* optimizer);

struct LoadedModule {
  bool widened = false;  // from f32 to f64, exactly
};

/// All or nothing: what is missing, extra, of another shape or wider than the module comes in one CHECKPOINT_MISMATCH.
/// With an optimizer the file must hold its state; without one such state is passed over. A file that says it is
/// something else, such as a checkpoint of `tenon train`, is refused; one of plain tensors is not.
TENON_API result<LoadedModule> load_module(const std::filesystem::path& path, ModuleCore& module, Optimizer* optimizer);

template <class Module>
result<void> save(const std::filesystem::path& path, Module& module, const Optimizer* optimizer = nullptr) {
  return save_module(path, module.core(), optimizer);
}
template <class Module>
result<LoadedModule> load(const std::filesystem::path& path, Module& module, Optimizer* optimizer = nullptr) {
  return load_module(path, module.core(), optimizer);
}

}  // namespace tenon
