// Settings as people give them: a profile that ships, a file, and what that extends, laid one over the other.
//
//   extends: [broad, ./our-house.yaml]     # a profile by its name; a file, from the folder of the one that names it
//   fetch:
//     proxy: http://me:${PROXY_PASSWORD}@proxy.example:3128
//
// Secrets may refer to the environment (`${NAME}`) and to files (`${file:PATH}`, without the line break at its end);
// `$${` stands for `${`. What a crawl keeps is what they stood for when it began.
#pragma once

#include <string>
#include <string_view>

#include "caddis/base/error.h"
#include "caddis/config/settings.h"

namespace caddis::io {
class Files;
}

namespace caddis::config {

// Lays a file with all that it extends over `into`. If any of them has sheets, these replace those there were.
// ErrorCode::config if it is no settings file: a pipe, a device, too large.
Result<void> load_settings_file(io::Files& files, const std::string& path, Settings& into);
// The same as if the file extended that profile first. One of them may be empty.
Result<void> load_settings_file(io::Files& files, std::string_view profile, const std::string& path, Settings& into);

// A secret as it is written where it stands for itself: `$${` for `${`.
std::string literal(std::string_view secret);

// Lays over `into` what a user has set for all crawls: $HOME/.config/caddis/caddis.yaml if it is there, then
// $CADDIS_CONTACT. Reads the environment.
Result<void> load_own_settings(io::Files& files, Settings& into);

}  // namespace caddis::config
