// A timestamp of the archive as people read it. Any thread.
#pragma once

#include <string>
#include <string_view>

#include "caddis/pages/language.h"

namespace caddis::pages {

// `form`: "date" ("2 Jan 2026, 03:04:05 UTC"), "day", "weekday" or "month". The timestamp itself if it is none.
std::string date_words(std::string_view timestamp, std::string_view form, const Language& language);

}  // namespace caddis::pages
