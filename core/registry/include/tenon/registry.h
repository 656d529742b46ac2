// registry.h: which capsule serves an operation, and why the others do not.
//
// A Registry refers to the capsules of the plugins it was given and shares their ownership. Written once, at session
// creation; read by any thread.
#pragma once
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "tenon/device.h"
#include "tenon/request.h"

namespace tenon {

/// --provider
struct ProviderPolicy {
  enum class Rule : std::uint8_t { first, prefer, only };
  Rule rule = Rule::first;
  std::string provider{};  // of prefer and only
  friend bool operator==(const ProviderPolicy&, const ProviderPolicy&) = default;
};
TENON_API std::string to_string(const ProviderPolicy& policy);

/// --assurance: how much a capsule must be trusted.
enum class Assurance : std::uint8_t { checked, external };
constexpr std::string_view name(Assurance a) { return a == Assurance::checked ? "checked" : "external"; }

struct SelectionPolicy {
  ProviderPolicy provider{};
  Assurance assurance = Assurance::checked;
  bool strict = false;  // only capsules that declare strict numerics
};

struct Rejection {
  std::string capsule;
  Reason reason;
  std::string detail;  // the capsule's own words, dtypes it takes, ...
};

/// The answer for one request. Without a capsule the rejections say why.
struct Choice {
  const tenon_capsule* capsule = nullptr;
  const LoadedPlugin* plugin = nullptr;
  std::string why;                  // "first of 2 admissible"
  std::vector<Rejection> rejected;  // in catalogue order
};

/// Any device of a memory domain, where none is open: `supports` is then asked with a null device.
struct AnyDevice {
  std::string name;  // "cuda:0", as an open one would be called
  std::string memory_domain;
};

class TENON_API Registry {
 public:
  Registry(std::shared_ptr<Device> device, std::vector<std::shared_ptr<LoadedPlugin>> plugins, SelectionPolicy policy);
  /// To answer questions with; no session can be made of it.
  Registry(AnyDevice target, std::vector<std::shared_ptr<LoadedPlugin>> plugins, SelectionPolicy policy);

  Choice choose(const Request& request) const;
  /// Does any plugin name this operation?
  bool names(Op op) const { return named_[static_cast<std::size_t>(op)]; }

  const std::shared_ptr<Device>& device() const { return device_; }  // null if it was made for any device
  const AnyDevice& target() const { return target_; }
  const SelectionPolicy& policy() const { return policy_; }

 private:
  struct Entry {
    const tenon_capsule* capsule;
    const LoadedPlugin* plugin;
    std::optional<Rejection> disabled;  // a duplicate name
  };
  void add_capsules();
  std::optional<Rejection> reject(const Entry& entry, const Request& request) const;

  std::shared_ptr<Device> device_;
  AnyDevice target_;  // an open device's own name and domain
  std::vector<std::shared_ptr<LoadedPlugin>> plugins_;
  SelectionPolicy policy_;
  std::vector<Entry> entries_;  // in catalogue order: plugin, priority, declaration
  std::vector<bool> named_;     // by operation
};

/// "linear(x f32 (32, 64), ...) on cpu:0, training:" and below it every rejected candidate with its reason: one block
/// of the error of a session that cannot be created.
TENON_API std::string explain_gap(const Request& request, const Choice& choice, const std::string& device);
inline std::string explain_gap(const Request& request, const Choice& choice, const Device& device) {
  return explain_gap(request, choice, device.name());
}

}  // namespace tenon
