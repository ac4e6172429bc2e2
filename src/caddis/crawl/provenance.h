// The provenance of a crawl, for its warcinfo records.
#pragma once

#include "caddis/archive/warcinfo.h"
#include "caddis/collection/launch.h"
#include "caddis/config/settings.h"

namespace caddis::crawl {

struct World;

archive::Provenance provenance_of(const config::Settings& settings, const collection::Launch& launch,
                                  const World& world);

}  // namespace caddis::crawl
