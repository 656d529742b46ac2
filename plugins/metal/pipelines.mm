#include "pipelines.h"

#include <dispatch/dispatch.h>

#include "bridge.h"

namespace tenon::metal {

const Pipeline& Pipelines::get(std::string_view kernel) {
  const std::lock_guard lock(mutex_);
  const auto known = pipelines_.find(kernel);
  if (known != pipelines_.end()) return known->second;
  return pipelines_.emplace(kernel, compile(kernel)).first->second;
}

Pipeline Pipelines::compile(std::string_view kernel) {
  Pipeline pipeline{};
  with_pool([&] {
    const std::string name(kernel);
    id<MTLLibrary> library = as<id<MTLLibrary>>(library_of(kernel));
    id<MTLFunction> function = [library newFunctionWithName:[NSString stringWithUTF8String:name.c_str()]];
    if (function == nil) plugin::refuse("[metal] the library of kernels has no ", kernel);
    NSError* error = nil;
    id<MTLComputePipelineState> state = [as<id<MTLDevice>>(device_) newComputePipelineStateWithFunction:function
                                                                                                  error:&error];
    if (state == nil) throw_error(plugin::text("compiling the kernel ", kernel), error);
    pipeline = {hold(state), static_cast<std::uint32_t>(state.maxTotalThreadsPerThreadgroup)};
  });
  return pipeline;
}

// A library of a newer system than this one is refused; the sources serve any.
bool Pipelines::has_built_library() {
  if (looked_ || built_library.empty()) return static_cast<bool>(built_);
  looked_ = true;
  dispatch_data_t data =
      dispatch_data_create(built_library.data(), built_library.size(), nullptr, DISPATCH_DATA_DESTRUCTOR_DEFAULT);
  NSError* error = nil;
  id<MTLLibrary> library = data == nil ? nil : [as<id<MTLDevice>>(device_) newLibraryWithData:data error:&error];
  if (library != nil) built_ = hold(library);
  return library != nil;
}

const Object& Pipelines::library_of(std::string_view kernel) {
  if (has_built_library()) return built_;
  const std::string_view family = kernel.substr(0, kernel.find('_'));
  const auto known = compiled_.find(family);
  if (known != compiled_.end()) return known->second;
  for (const Source& source : sources) {
    if (source.family == family) return compiled_.emplace(source.family, compile(source)).first->second;
  }
  plugin::refuse("[metal] no source has the kernel ", kernel);
}

Object Pipelines::compile(const Source& source) {
  MTLCompileOptions* options = [[MTLCompileOptions alloc] init];
  options.languageVersion = MTLLanguageVersion3_0;
#if defined(__MAC_OS_X_VERSION_MAX_ALLOWED) && __MAC_OS_X_VERSION_MAX_ALLOWED >= 150000
  if (@available(macOS 15, *)) {
    options.mathMode = MTLMathModeSafe;
  } else {
    options.fastMathEnabled = NO;
  }
#else
  options.fastMathEnabled = NO;
#endif
  NSError* error = nil;
  id<MTLLibrary> library = [as<id<MTLDevice>>(device_) newLibraryWithSource:[NSString stringWithUTF8String:source.text]
                                                                    options:options
                                                                      error:&error];
  if (library == nil) throw_error(plugin::text("compiling the kernels of ", source.family), error);
  return hold(library);
}

}  // namespace tenon::metal
