#include "caddis/crawl/live_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

#include "caddis/modules/registry.h"

namespace caddis::crawl {
namespace {

// Sections of which a running crawl follows every setting that may change at all, but for some: visits and the frontier
// read these where they begin, and keep what they made of them.
struct Followed {
  std::string_view section;
  std::vector<std::string_view> but;
};
const Followed kFollowed[] = {
    {"scope", {}},
    {"limits", {}},
    {"quota", {}},
    {"robots", {}},
    {"extract", {"program", "program-workers", "sandbox"}},
    {"documents", {"time-limit", "memory", "workers"}},
    {"politeness", {"groups", "together", "labels", "buckets", "max-per-address"}},
    {"frontier", {"order", "queues", "precedences", "policy", "module"}},
    {"fetch", {}},
    {"cookies", {"load", "total"}},
    {"logins", {}},
    {"walls", {"known", "signs"}},
    {"feeds", {}},
    {"pipeline", {"url"}},
    {"dedup", {"against", "remote-timeout"}},
    {"archive", {}},
    {"logs", {}},
    {"checkpoint", {}},
    {"modules", {"load"}},
};

bool is_followed(std::string_view section, std::string_view name) {
  constexpr std::string_view kOfSheets = "sheets: ";
  if (section.starts_with(kOfSheets)) section.remove_prefix(kOfSheets.size());
  // A policy and a frontier have their settings from the start.
  if (const auto* module = modules::find_module(section))
    return !module->description().make_policy && !module->description().make_frontier;
  const auto* const found = std::ranges::find(kFollowed, section, &Followed::section);
  return found != std::end(kFollowed) && std::ranges::find(found->but, name) == found->but.end();
}

// A setting that is not live belongs to the crawl's state: resuming would refuse it, too.
std::string why_it_stays(const settings::Change& change) {
  if (change.section == "crawl" && change.name == "seeds")
    return "crawl.seeds are those that the crawl began with; add others with caddis frontier --add URL --seed, or a "
           ".seeds file in its folder action/";
  if (change.live)
    return fmt::format("{}.{} cannot change while the crawl runs: stop it, and resume it with the new value",
                       change.section, change.name);
  return fmt::format(
      "{}.{} holds for the whole crawl, and cannot change in it: begin a new crawl with the new value; caddis crawl "
      "--from-checkpoint takes over what this one knows and has waiting",
      change.section, change.name);
}

}  // namespace

bool is_live(std::string_view section, const settings::Field& field) {
  return field.live() && is_followed(section, field.name);
}

std::optional<std::string> refusal_of(const settings::Change& change) {
  if (change.live && is_followed(change.section, change.name)) return std::nullopt;
  return why_it_stays(change);
}

Result<void> check_live_changes(const std::vector<settings::Change>& changes) {
  std::string refused;
  for (const settings::Change& change : changes)
    if (const auto why = refusal_of(change)) refused += (refused.empty() ? "" : "\n") + *why;
  if (refused.empty()) return {};
  return fail(ErrorCode::config, std::move(refused));
}

}  // namespace caddis::crawl
