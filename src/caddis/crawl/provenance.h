// The provenance of a crawl, for its warcinfo records.
#pragma once

#include "caddis/archive/warcinfo.h"
#include "caddis/config/settings.h"
#include "caddis/crawl/collection.h"

namespace caddis::crawl {

struct World;

archive::Provenance provenance_of(const config::Settings& settings, const Launch& launch, const World& world);

}  // namespace caddis::crawl
