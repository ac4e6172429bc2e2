#include "caddis/crawl/live_changes.h"

#include <fmt/format.h>

#include <algorithm>
#include <string>
#include <string_view>

namespace caddis::crawl {
namespace {

// Names in `limits` that are looked at anew whenever they count.
constexpr std::string_view kLimits[] = {"max-documents", "max-bytes",      "max-novel-bytes", "max-warc-bytes",
                                        "max-time",      "max-silence",    "max-idle",        "at-limit",
                                        "max-visits",    "min-free-space", "run-while-empty"};

// Names in `politeness` that only the frontier reads.
constexpr std::string_view kPoliteness[] = {"bandwidth", "host-bandwidth"};

bool is_live(const settings::Change& change) {
  if (change.section == "quota") return true;
  if (change.section == "politeness") return std::ranges::find(kPoliteness, change.name) != std::end(kPoliteness);
  return change.section == "limits" && std::ranges::find(kLimits, change.name) != std::end(kLimits);
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

Result<void> check_live_changes(const std::vector<settings::Change>& changes) {
  for (const settings::Change& change : changes)
    if (!is_live(change)) return fail(ErrorCode::config, why_it_stays(change));
  return {};
}

}  // namespace caddis::crawl
