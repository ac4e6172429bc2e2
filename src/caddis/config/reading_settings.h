// The settings of who reads what was fetched, together: the sections `extract`,
// `documents`, `walls` and `feeds`.
#pragma once

#include "caddis/documents/settings.h"  // IWYU pragma: export
#include "caddis/extract/settings.h"    // IWYU pragma: export
#include "caddis/feeds/settings.h"      // IWYU pragma: export
#include "caddis/walls/settings.h"      // IWYU pragma: export

namespace caddis::config {

struct ReadingSettings {
  extract::Options extract;
  documents::DocumentSettings documents;
  walls::WallSettings walls;
  feeds::FeedSettings feeds;
};

}  // namespace caddis::config
