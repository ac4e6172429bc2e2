#include "caddis/harvestserver/contact.h"

#include <fmt/format.h>

#include "caddis/config/settings.h"
#include "caddis/config/settings_file.h"

namespace caddis::harvestserver {
namespace {

// Whatever may have a contact of its own, or may need none.
constexpr std::string_view kExceptions =
    "SELECT (SELECT count(*) FROM templates WHERE lower(source) LIKE '%contact%') + "
    "(SELECT count(*) FROM configurations WHERE lower(overrides) LIKE '%contact%') + "
    "(SELECT count(*) FROM harvesters WHERE name <> 'local') + "
    "(SELECT count(*) FROM seed_lists WHERE seeds LIKE '%127.%' OR seeds LIKE '%localhost%' OR seeds LIKE '%[%')";

}  // namespace

std::optional<std::string> lacking_contact(io::Files& files, const HarvestSettings& settings,
                                           std::string_view settings_file, bool has_harvester) {
  if (!settings.contact.empty()) return std::nullopt;
  config::Settings own;
  // Settings that cannot be read are told of by the job.
  if (has_harvester && (!config::load_own_settings(files, own) || !own.crawl.contact.empty())) return std::nullopt;
  return fmt::format(
      "harvest.contact is not set, so owners of sites could not reach you, and jobs do not begin: write 'contact: …' "
      "below 'harvest:' into {}, and start the server again",
      settings_file);
}

Result<void> require_contact(const Parts& parts) {
  const auto lacking = lacking_contact(parts.files, parts.settings.harvest, "the server's harvest.yaml");
  if (!lacking) return {};
  TRY(const int64_t exceptions, parts.database.read([](sql::Connection& c) { return c.number(kExceptions); }));
  return exceptions > 0 ? Result<void>() : fail(ErrorCode::config, *lacking);
}

}  // namespace caddis::harvestserver
