#include "caddis/crawl/provenance.h"

#include <fmt/format.h>

#include "caddis/base/version.h"
#include "caddis/crawl/world.h"
#include "caddis/settings/render.h"

namespace caddis::crawl {
namespace {

// The policies of sheets: "; ignore (sheet near)".
std::string robots_in_sheets(const settings::Sheets& sheets) {
  const settings::Schema& schema = settings::schema_of<robots::RobotsSettings>();
  const settings::Field* const policy = schema.find("policy");
  const settings::Field* const requisites = schema.find("requisites");
  std::string out;
  for (const settings::Sheet& sheet : sheets)
    for (const auto& entry : sheet.values.entries()) {
      const std::string value = entry.field->write(entry.value);
      if (entry.field == policy) out += fmt::format("; {} (sheet {})", value, sheet.name);
      if (entry.field == requisites) out += fmt::format("; {} (parts of pages, sheet {})", value, sheet.name);
    }
  return out;
}

// The policy, and by whose names it goes.
std::string robots_name(const robots::RobotsSettings& settings) {
  const std::string name(robots::to_string(settings.policy));
  if (settings.policy == robots::RobotsPolicy::first_named || settings.policy == robots::RobotsPolicy::most_favored)
    return fmt::format("{} ({})", name, fmt::join(settings.agents, ", "));
  return name;
}

std::string robots_policy(const robots::RobotsSettings& settings) {
  const bool spares = settings.requisites == robots::ForRequisites::ignore;
  return robots_name(settings) + (spares ? "; ignore (parts of pages)" : "");
}

}  // namespace

archive::Provenance provenance_of(const config::Settings& settings, const collection::Launch& launch,
                                  const World& world) {
  archive::Provenance provenance;
  provenance.software = fmt::format("Caddis/{}", kVersion);
  const std::string& own_name = settings.archive.host_name;
  provenance.hostname = !own_name.empty()              ? own_name
                        : !world.full_hostname.empty() ? world.full_hostname
                                                       : world.hostname;
  provenance.ip = world.address;
  provenance.contact = settings.crawl.contact;
  const std::string user_agent = fetch::user_agent(settings.fetch, settings.crawl.contact);
  provenance.user_agent = fetch::header_as_sent(settings.fetch, "User-Agent", user_agent);
  provenance.from = fetch::header_as_sent(settings.fetch, "From", settings.fetch.from);
  provenance.robots = robots_policy(settings.robots) + robots_in_sheets(settings.sheets);
  if (const auto keys = config::key_policies(settings.canonicalization)) {
    provenance.crawl_key_rules = keys->crawl.record();
    provenance.index_key_rules = keys->index.record();
  }
  provenance.crawl = launch.name;
  return provenance;
}

}  // namespace caddis::crawl
