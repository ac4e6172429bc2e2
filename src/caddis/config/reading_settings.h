// The settings of who reads what was fetched, together: the sections `extract`, `documents` and `walls`.
#pragma once

#include "caddis/documents/settings.h"  // IWYU pragma: export
#include "caddis/extract/settings.h"    // IWYU pragma: export
#include "caddis/walls/settings.h"      // IWYU pragma: export

namespace caddis::config {

struct ReadingSettings {
  extract::Options extract;
  documents::DocumentSettings documents;
  walls::WallSettings walls;
};

}  // namespace caddis::config
