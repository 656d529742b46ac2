#include "tenon/launch_report.h"

#include <fmt/format.h>

#include "json_text.h"
#include "tenon/capsule_text.h"

namespace tenon {
namespace {

/// The dtypes of the operands and results, each named once: "f32", "f32 u32".
std::string storage(const Request& request) {
  std::string out;
  const auto add = [&](const std::vector<TensorType>& types) {
    for (const TensorType& type : types)
      if (out.find(name(type.dtype)) == std::string::npos) out.append(out.empty() ? "" : " ").append(name(type.dtype));
  };
  add(request.operands);
  add(request.outputs);
  return out;
}

/// "only admissible of 2 candidates", "first of 2 admissible, over acme.linear.f32".
std::string why(const Choice& choice) {
  std::string over;
  for (const Rejection& r : choice.rejected)
    if (r.reason == Reason::LATER_IN_ORDER) over.append(over.empty() ? ", over " : ", ").append(r.capsule);
  if (!over.empty()) return choice.why + over;
  const std::size_t candidates = choice.rejected.size() + 1;
  return choice.why + (candidates == 1 ? ", the only candidate" : fmt::format(" of {} candidates", candidates));
}

std::string json_session(const SessionFacts& f) {
  return json_object({{"event", json_string("session")},
                      {"device", json_string(f.device)},
                      {"device_name", json_string(f.device_name)},
                      {"backend", json_string(f.backend)},
                      {"dtype", json_string(f.dtype)},
                      {"storage", json_string(f.storage)},
                      {"numerics", json_string(f.numerics)},
                      {"provider_policy", json_string(f.policy)},
                      {"assurance", json_string(f.assurance)},
                      {"plugin", json_string(f.plugin)},
                      {"plugin_version", json_string(f.plugin_version)},
                      {"plugin_file", json_string(f.plugin_file)},
                      {"seed", std::to_string(f.seed)},
                      {"threads", std::to_string(f.threads)}});
}

std::string text_session(const SessionFacts& f) {
  return fmt::format(
      "session: {} ({}), backend {}, dtype {} stored as {}, {} numerics, seed {}, threads {}\n"
      "session: plugin {} {} ({}), provider policy {}, assurance {}",
      f.device, f.device_name, f.backend, f.dtype, f.storage, f.numerics, f.seed, f.threads, f.plugin, f.plugin_version,
      f.plugin_file, f.policy, f.assurance);
}

std::string file_of(const Choice& choice) { return choice.plugin->candidate().manifest.library.filename().string(); }

std::string json_capsule(const Kernel& kernel, const SessionFacts& facts) {
  const Choice& choice = kernel.choice();
  const tenon_capsule& c = *choice.capsule;
  return json_object({{"event", json_string("capsule")},
                      {"op", json_string(name(kernel.request().op))},
                      {"capsule", json_string(c.name)},
                      {"device", json_string(facts.device)},
                      {"dtype", json_string(facts.dtype)},
                      {"storage", json_string(storage(kernel.request()))},
                      {"plugin", json_string(choice.plugin->id())},
                      {"plugin_version", json_string(choice.plugin->version())},
                      {"plugin_file", json_string(file_of(choice))},
                      {"provider", json_string(c.provider)},
                      {"trust", json_string(trust_text(c.trust))},
                      {"gradient_mode", json_string(name(kernel.request().mode))},
                      {"numerics", json_string(numerics_text(*c.numerics))},
                      {"chosen", json_string(why(choice))}});
}

std::string text_capsule(const Kernel& kernel, const SessionFacts& facts) {
  const Choice& choice = kernel.choice();
  const tenon_capsule& c = *choice.capsule;
  const Request& request = kernel.request();
  return fmt::format("capsule: {:<18} {} on {} | {} as {} | plugin {} {} ({}) | provider {}, {} | {} | {} | {}",
                     name(request.op), c.name, facts.device, facts.dtype, storage(request), choice.plugin->id(),
                     choice.plugin->version(), file_of(choice), c.provider, trust_text(c.trust), name(request.mode),
                     numerics_text(*c.numerics), why(choice));
}

}  // namespace

void LaunchReport::put(const std::string& line) { std::fprintf(out_, "%s\n", line.c_str()); }

void LaunchReport::session(const SessionFacts& facts) {
  facts_ = facts;
  put(form_ == Form::json ? json_session(facts) : text_session(facts));
}

void LaunchReport::first_launch(const Kernel& kernel, std::uint32_t) {
  if (!capsules_.insert(kernel.choice().capsule->name).second) return;
  put(form_ == Form::json ? json_capsule(kernel, facts_) : text_capsule(kernel, facts_));
}

void LaunchReport::summary() {
  if (form_ == Form::json)
    put(json_object({{"event", json_string("summary")},
                     {"device", json_string(facts_.device)},
                     {"capsules", std::to_string(capsules_.size())},
                     {"calls", std::to_string(calls_)}}));
  else
    put(fmt::format("calls: {} of {} capsules on {}", calls_, capsules_.size(), facts_.device));
}

}  // namespace tenon
