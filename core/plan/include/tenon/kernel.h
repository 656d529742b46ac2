// kernel.h: a capsule prepared for one request, and the bounded cache of them.
//
// Kernels are shared: a plan holds those it uses, so eviction from the cache never takes one away from under it. The
// cache is used by one thread, the session's.
#pragma once
#include <list>
#include <memory>
#include <unordered_map>

#include "tenon/registry.h"

namespace tenon {

class TENON_API Kernel {
 public:
  /// Chooses and prepares. NO_CAPSULE with explain_gap's text, or PREPARE_FAILED in the plugin's words.
  static result<std::shared_ptr<const Kernel>> prepare(const Registry& registry, const Request& request);
  ~Kernel();
  Kernel(const Kernel&) = delete;
  Kernel& operator=(const Kernel&) = delete;

  const Request& request() const { return request_; }
  const Choice& choice() const { return choice_; }
  const tenon_kernel& prepared() const { return prepared_; }
  /// May output `output` have the storage of the operand that the core proposed for it?
  bool in_place(std::size_t output) const { return in_place_[output]; }

 private:
  Kernel() = default;
  Request request_;
  Choice choice_;
  tenon_kernel prepared_{};
  bool is_prepared_ = false;  // else there is nothing to release
  std::array<bool, max_operands> in_place_{};
};

/// Are these the same attributes? Unlike ==, every NaN is the same as every other: a fill with NaN is one operation.
TENON_API bool same_attributes(const Attributes& a, const Attributes& b);

class TENON_API KernelCache {
 public:
  explicit KernelCache(Registry registry, std::size_t capacity = 4096)
      : registry_(std::move(registry)), capacity_(capacity) {}

  result<std::shared_ptr<const Kernel>> get(const Request& request);

  const Registry& registry() const { return registry_; }
  std::size_t size() const { return order_.size(); }

 private:
  struct Hash {
    std::size_t operator()(const Request& request) const;
  };
  struct Same {
    bool operator()(const Request& a, const Request& b) const;
  };
  using Order = std::list<Request>;  // least recently used first
  struct Entry {
    std::shared_ptr<const Kernel> kernel;
    Order::iterator place;
  };
  Registry registry_;
  std::size_t capacity_;
  Order order_;
  std::unordered_map<Request, Entry, Hash, Same> entries_;
};

}  // namespace tenon
