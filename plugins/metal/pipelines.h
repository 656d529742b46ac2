// pipelines.h: compute pipelines, made when a kernel is prepared and kept until the device is closed.
//
// Kernels come out of the library that the build made (a .metallib), where there is one that this system takes, else
// out of their source, a family at a time. Owned by the device; threads: any, one lock.
#pragma once
#include <map>
#include <mutex>
#include <string>

#include "object.h"
#include "sources.h"
#include "tenon/plugin.hpp"

namespace tenon::metal {

struct Pipeline {
  Object state;
  std::uint32_t max_threads;  // of a threadgroup
};

class Pipelines {
 public:
  explicit Pipelines(const Object& device) : device_(device) {}
  Pipelines(const Pipelines&) = delete;
  Pipelines& operator=(const Pipelines&) = delete;

  /// `kernel` is "family_entry". The pipeline lives as long as this.
  const Pipeline& get(std::string_view kernel);

 private:
  Pipeline compile(std::string_view kernel);
  /// Whether the build's library is there; looked for once.
  bool has_built_library();
  const Object& library_of(std::string_view kernel);
  Object compile(const Source& source);

  const Object& device_;
  std::mutex mutex_;
  bool looked_ = false;
  Object built_;
  std::map<std::string_view, Object> compiled_;  // by family
  std::map<std::string, Pipeline, std::less<>> pipelines_;
};

}  // namespace tenon::metal
