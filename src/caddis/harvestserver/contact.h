// Whether owners of sites could reach anybody about a job: a crawl of the sites of others does not begin without that.
//
// Any thread; waits for files and the database.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/harvestserver/parts.h"
#include "caddis/harvestserver/settings.h"
#include "caddis/io/files.h"

namespace caddis::harvestserver {

// Says what is to be done if neither `harvest.contact` is set nor, for the harvester of this process, a contact of the user who
// runs it (`caddis.yaml`, CADDIS_CONTACT). `settings_file`: as people find it.
std::optional<std::string> lacking_contact(io::Files& files, const HarvestSettings& settings,
                                           std::string_view settings_file, bool has_harvester = true);
// ErrorCode::config if it is sure that a job would not begin for lack of a contact: no template, no settings of a
// configuration and no other harvester can have one, and no seed is on a machine's own address.
Result<void> require_contact(const Parts& parts);

}  // namespace caddis::harvestserver
