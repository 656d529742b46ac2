#include <algorithm>

#include "tenon/catalogue.h"
#include "tenon/probe.h"
#include "tenon/text.h"
#include "unread_manifests.h"

namespace tenon {
namespace {

using Candidates = std::vector<const Candidate*>;

bool brings(const Candidate& candidate, const DeviceName& device) {
  return (device.vendor.empty() || candidate.manifest.vendor == device.vendor) &&
         std::ranges::find(candidate.manifest.devices, device.kind, &ManifestDevice::kind) !=
             candidate.manifest.devices.end();
}

Candidates serving(const DeviceName& device, const Catalogue& catalogue) {
  Candidates out;
  for (const Candidate& candidate : catalogue.candidates())
    if (brings(candidate, device) && !candidate.shadowed()) out.push_back(&candidate);
  return out;
}

/// An unqualified kind is this project's even where its plugin is broken: a third party never steps in unnamed.
Candidates prefer_own(Candidates all, const DeviceName& device) {
  const auto is_ours = [](const Candidate* candidate) { return candidate->manifest.vendor == "tenon"; };
  if (!device.vendor.empty() || std::ranges::none_of(all, is_ours)) return all;
  std::erase_if(all, [&](const Candidate* candidate) { return !is_ours(candidate); });
  return all;
}

Candidates prefer_usable(Candidates all) {
  const auto is_usable = [](const Candidate* candidate) { return candidate->usable(); };
  if (std::ranges::any_of(all, is_usable))
    std::erase_if(all, [&](const Candidate* candidate) { return !is_usable(candidate); });
  return all;
}

/// Those that an unqualified or qualified name leads to, best first; several usable ones are one too many.
Candidates leading_to(const DeviceName& device, const Catalogue& catalogue) {
  return prefer_usable(prefer_own(serving(device, catalogue), device));
}

bool is_unique(const Candidates& found) { return found.size() == 1 || (!found.empty() && !found.front()->usable()); }

std::string vendor_word(const Candidate& candidate, std::string_view kind) {
  return candidate.manifest.vendor + "/" + std::string(kind);
}

std::string bare(const DeviceName& device) { return (device.vendor.empty() ? "" : device.vendor + "/") + device.kind; }

bool known_to_be_unusable(const Candidate& candidate, const std::string& kind) {
  const auto report = cached_probe(candidate);
  if (!report) return false;
  const auto works = [&](const DeviceFacts& device) { return device.kind == kind && device.usable == 0; };
  return report->error || std::ranges::none_of(report->devices, works);
}

/// Calls visit(candidate, kind, word) for what is not known to be unusable; a word that several share comes once.
template <class Visit>
void for_each_usable(const Catalogue& catalogue, Visit visit) {
  std::vector<std::string> seen;
  for (const Candidate& candidate : catalogue.candidates())
    for (const ManifestDevice& device : candidate.manifest.devices) {
      if (!candidate.usable() || known_to_be_unusable(candidate, device.kind)) continue;
      std::string word = device_word(candidate, device.kind, catalogue);
      if (std::ranges::find(seen, word) == seen.end())
        visit(candidate, device.kind, seen.emplace_back(std::move(word)));
    }
}

/// What may be used in the place of a device that has no plugin.
struct Alternatives {
  std::vector<std::string> known, unprobed;

  std::string text() const {
    std::vector<std::string> all = known;
    for (const std::string& word : unprobed) all.push_back(word + " (not probed)");
    return all.empty() ? "none" : join(all);
  }
  /// One that is known to work, if there is one.
  std::string hint() const {
    const std::vector<std::string>& best = known.empty() ? unprobed : known;
    return best.empty() ? "" : " or --device " + best.front();
  }
};

/// Tenon's own CPU is there, whoever looks.
Alternatives alternatives(const Catalogue& catalogue) {
  Alternatives out;
  for_each_usable(catalogue, [&](const Candidate& candidate, const std::string& kind, const std::string& word) {
    const bool is_known = (candidate.own && kind == "cpu") || cached_probe(candidate);
    (is_known ? out.known : out.unprobed).push_back(word);
  });
  return out;
}

tl::unexpected<Error> no_plugin(const DeviceName& device, const Catalogue& catalogue) {
  std::string text = "[device] " + bare(device) + ": no plugin for it is installed";
  std::string_view label = "\n  searched: ", indent = "\n            ";
  for (const SearchFolder& folder : catalogue.folders())
    text.append(std::exchange(label, indent)).append(folder.path.string() + ": " + describe(folder, catalogue));
  text += host::unread_manifests(catalogue);
  const Alternatives usable = alternatives(catalogue);
  text += "\n  usable devices: " + usable.text();
  return fail(
      Reason::NO_PLUGIN, text,
      "install a plugin for " + bare(device) + " in one of these folders, or use --plugin FILE" + usable.hint());
}

std::string how_to_do_without(const Candidate& candidate) {
  return (candidate.origin == Origin::named ? "leave out --plugin " : "remove ") + candidate.file.string();
}

/// A vendor's name chooses only among vendors: of two plugins of one vendor, the later has to go.
std::string how_to_choose(const Candidates& all, const std::string& kind) {
  const auto vendor_of = [](const Candidate* one) { return one->manifest.vendor; };
  for (const Candidate* one : all)
    if (std::ranges::count(all, vendor_of(one), vendor_of) == 1) return "write --device " + vendor_word(*one, kind);
  std::vector<std::string> steps;
  for (const Candidate* one : all)
    if (one != all.front() && vendor_of(one) == vendor_of(all.front())) steps.push_back(how_to_do_without(*one));
  return join(steps, " and ") + " to use the plugin " + all.front()->manifest.id;
}

tl::unexpected<Error> ambiguous(const DeviceName& device, const Candidates& all) {
  std::string text = "[device] " + bare(device) + ": several plugins bring it:";
  for (const Candidate* candidate : all)
    text += "\n  " + vendor_word(*candidate, device.kind) + "  " + candidate->manifest.id + "  " +
            candidate->manifest.library.string();
  return fail(Reason::AMBIGUOUS_DEVICE, text, how_to_choose(all, device.kind));
}

/// A file that --plugin names and that is too broken to say what it brings: most likely what the user meant.
const Candidate* named_without_kinds(const Catalogue& catalogue) {
  for (const Candidate& candidate : catalogue.candidates())
    if (candidate.origin == Origin::named && candidate.error && candidate.manifest.devices.empty()) return &candidate;
  return nullptr;
}

/// Nobody else brings the device, since the plugin that comes first is another one of the same name.
const Candidate* shadowed_serving(const DeviceName& device, const Catalogue& catalogue) {
  for (const Candidate& candidate : catalogue.candidates())
    if (brings(candidate, device) && candidate.shadowed()) return &candidate;
  return nullptr;
}

std::string label(const Candidate& candidate) {
  std::vector<std::string> kinds;
  for (const ManifestDevice& device : candidate.manifest.devices) kinds.push_back(device.kind);
  std::string out = kinds.empty() ? candidate.file.filename().string() : join(kinds);
  if (candidate.error) out.append(" (not usable: ").append(info(candidate.error->reason).meaning).append(")");
  return out;
}

bool lies_in(const Candidate& candidate, const SearchFolder& folder) {
  return folder.origin == Origin::named ? candidate.file == folder.path : candidate.file.parent_path() == folder.path;
}

}  // namespace

result<Candidate> find_plugin(const DeviceName& device, const Catalogue& catalogue) {
  const Candidates found = leading_to(device, catalogue);
  if (found.empty()) {
    if (const Candidate* named = named_without_kinds(catalogue)) return fail(*named->error);
    if (const Candidate* shadowed = shadowed_serving(device, catalogue)) return fail(*shadowed->error);
    return no_plugin(device, catalogue);
  }
  if (!is_unique(found)) return ambiguous(device, found);
  if (found.front()->error) return fail(*found.front()->error);
  return *found.front();
}

std::string device_word(const Candidate& candidate, std::string_view kind, const Catalogue& catalogue) {
  const Candidates found = leading_to({{}, std::string(kind), 0}, catalogue);
  const bool leads_here = is_unique(found) && found.front()->file == candidate.file;
  return leads_here ? std::string(kind) : vendor_word(candidate, kind);
}

std::string describe(const SearchFolder& folder, const Catalogue& catalogue) {
  if (!folder.exists) return "does not exist";
  if (!folder.problem.empty()) return "cannot be read (" + folder.problem + ")";
  std::vector<std::string> found;
  for (const Candidate& candidate : catalogue.candidates())
    if (lies_in(candidate, folder)) found.push_back(label(candidate));
  return found.empty() ? "no plugin" : join(found);
}

std::vector<std::string> usable_devices(const Catalogue& catalogue) {
  std::vector<std::string> out;
  for_each_usable(catalogue,
                  [&](const Candidate&, const std::string&, const std::string& word) { out.push_back(word); });
  return out;
}

}  // namespace tenon
