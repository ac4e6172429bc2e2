#include "caddis/walls/settings.h"

namespace caddis::walls {

Result<WallSigns> signs_of(const WallSettings& settings) {
  std::vector<std::string> lines = settings.signs;
  if (settings.known) lines.insert(lines.end(), known_walls().begin(), known_walls().end());
  return WallSigns::parse(lines);
}

}  // namespace caddis::walls

namespace caddis::settings {
namespace {

Result<void> wall_sign(std::string_view line) {
  if (auto sign = walls::WallSign::parse(line); !sign) return std::unexpected(std::move(sign).error());
  return {};
}

}  // namespace

template <>
const Schema& schema_of<walls::WallSettings>() {
  using S = walls::WallSettings;
  static const Schema schema(
      "walls", "Pages that are shown in place of the one that was asked for: checks for bots, requests for consent.",
      {
          field<&S::known>("known", "Look for the walls of known products (`caddis schema --walls` lists their signs).",
                           {.flags = kLive}),
          field<&S::signs>("signs",
                           "Further signs of walls, each as \"bot NAME: CONDITION; CONDITION\" or \"consent NAME: …\"; "
                           "conditions are status, header, cookie, url, below, title and body (docs/walls.md).",
                           {.flags = kLive, .check = wall_sign}),
          field<&S::store>("store",
                           "Keep walls in the archive. If not, they are on record in the logs alone, and of "
                           "their links redirects alone are followed.",
                           {.flags = kSheet | kLive}),
      });
  return schema;
}

}  // namespace caddis::settings
