// Walls: the `walls` section of crawl.yaml.
#pragma once

#include <string>
#include <vector>

#include "caddis/settings/schema.h"
#include "caddis/walls/wall_sign.h"

namespace caddis::walls {

struct WallSettings {
  bool known = true;               // the shipped signs count
  std::vector<std::string> signs;  // further ones, asked first
  bool store = true;               // false: walls are kept out of the archive
};

// The signs that hold under these settings. They have been validated.
Result<WallSigns> signs_of(const WallSettings& settings);

}  // namespace caddis::walls

namespace caddis::settings {
template <>
const Schema& schema_of<walls::WallSettings>();
}  // namespace caddis::settings
