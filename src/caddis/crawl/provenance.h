// What the warcinfo records of a crawl say of it.
#pragma once

#include <string>

#include "caddis/archive/warcinfo.h"
#include "caddis/crawl/collection.h"
#include "caddis/crawl/settings.h"

namespace caddis::crawl {

archive::Provenance provenance_of(const Settings& settings, const Launch& launch, const std::string& hostname);

}  // namespace caddis::crawl
